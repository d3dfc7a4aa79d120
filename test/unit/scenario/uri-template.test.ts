import { expect, test } from "vitest";
import { problemOfTemplate, UriTemplate, variablesOf } from "../../../src/scenario/uri-template.ts";

test.each<[string, string, Record<string, string> | undefined]>([
  ["w://{id}", "w://oslo", { id: "oslo" }],
  ["w://{id}", "w://", undefined],
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
