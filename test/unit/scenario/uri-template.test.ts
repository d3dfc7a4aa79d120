import { expect, test } from "vitest";
import { problemOfTemplate, UriTemplate, variablesOf } from "../../../src/scenario/uri-template.ts";

test.each<[string, string, Record<string, string> | undefined]>([
  ["w://{id}", "w://oslo", { id: "oslo" }],
  ["w://{id}", "w://", {}],
  ["w://{id}", "w://a/b", undefined],
  ["w://{id}/x.{type}", "w://a%2Fb/x.json", { id: "a/b", type: "json" }],
  ["w://{x,y}", "w://1,2", { x: "1", y: "2" }],
  ["file://{+path}", "file:///a/b?c", { path: "/a/b?c" }],
  ["w://a{#part}", "w://a#s/t", { part: "s/t" }],
  ["w://a{.ext}", "w://a.json", { ext: "json" }],
  ["w://a{/x,y}", "w://a/1/2", { x: "1", y: "2" }],
  ["w://a{/x,y}", "w://a/1", { x: "1" }],
  ["w://a{;x}", "w://a;x=1", { x: "1" }],
  ["w://a{?x,y}", "w://a?x=1&y=2", { x: "1", y: "2" }],
  ["w://a{?x,y}", "w://a?y=2", { y: "2" }],
  ["w://a{?x,y}", "w://a", {}],
  ["w://a?f=1{&x}", "w://a?f=1&x=2", { x: "2" }],
  ["w://a.b", "w://aXb", undefined],
  ["my-notes://{id}", "my-notes://1", { id: "1" }],
  ["b:{;p,q}", "b:;p", { p: "" }],
  ["b:{;p,q}", "b:;p;q=1", { p: "", q: "1" }],
  ["b:{;p,q}", "b:;p=", undefined],
  ["b:{?p}", "b:?p=", { p: "" }],
  ["b:{?p}", "b:?p", undefined],
  ["c{/x,y}", "c", {}],
  ["c{/x,y}", "c/", { x: "" }],
  ["c{x,y}", "c,", { x: "", y: "" }],
  ["u://{+x}{?a,b}", "u://a?a=1&b=2", { x: "a", a: "1", b: "2" }],
  ["u://{+x}{?a,b}", "u://a?b=2&a=1", { x: "a?b=2&a=1" }],
  ["u://{x}{?a,b}", "u://a?b=2&a=1", undefined],
  ["u://{x}{?a,b}", "u://a?a=1?b=2", undefined],
  ["j/{x}/{x}", "j/1/1", { x: "1" }],
  ["j/{x}/{x}", "j/1/2", undefined],
  ["j/{x}{x}", "j/1212", { x: "12" }],
  ["f{+x}", "f100%25", { x: "100%" }],
  ["f{+x}", "f%2541", { x: "%2541" }],
  ["f{+x}", "fa%2Fb", { x: "a%2Fb" }],
  ["f{x}", "f%C3%A9", { x: "é" }],
  // Not as RFC 6570 would write them, but what is meant is plain.
  ["user:{mail}", "user:a@b.c", { mail: "a@b.c" }],
  ["user:{name}", "user:é%zz%2f", { name: "é%zz/" }],
  ["é{x}", "%C3%A91", { x: "1" }],
  ["é{x}", "é1", { x: "1" }],
])("%s meets %s", (template, uri, variables) => {
  expect(new UriTemplate(template).match(uri)).toEqual(variables);
});

test.each([
  ["w://{id", "a brace is not closed"],
  ["w://{}", "{} is no expression"],
  ["w://{id:3}", "{id:3} has a modifier (level 4), which cannot be matched here"],
  ["w://{list*}", "{list*} has a modifier (level 4), which cannot be matched here"],
  ["w://{id}", undefined],
])("what is wrong with %s", (template, problem) => {
  expect(problemOfTemplate(template)).toBe(problem);
});

test("the names of all variables", () => {
  expect(variablesOf("w://{a}/{+b}{?c,d}")).toEqual(["a", "b", "c", "d"]);
});
