import { describe, expect, test } from "vitest";
import { compareContracts } from "../../../src/contract/compare.ts";
import { contractFrom } from "../../../src/contract/contract-text.ts";
import type { Rule } from "../../../src/contract/rules/rule.ts";
import { RULES } from "../../../src/contract/rules.ts";

const rules = Object.entries(RULES) as [string, Rule][];

test.each(rules)("%s: its example strikes, in a class and layer that the rule names", async (id, rule) => {
  const changes = await compareContracts(contractFrom(rule.example.old), contractFrom(rule.example.new));
  const struck = changes.filter((change) => change.rule === id);
  expect(struck, JSON.stringify(changes)).not.toEqual([]);
  for (const change of struck) {
    expect(rule.classes).toContain(change.class);
    expect(change.layer).toBe(rule.layer);
    expect(change.message).toMatch(/^\S.*\.$/s);
  }
});

describe("each side of an example against itself", () => {
  test.each(rules)("%s is silent", async (_, { example }) => {
    for (const side of [example.old, example.new]) {
      expect(await compareContracts(contractFrom(side), contractFrom(side))).toEqual([]);
    }
  });
});

test("docs/rules.md lists every rule with its example", async () => {
  await expect(`${[...document()].join("\n")}\n`).toMatchFileSnapshot("../../../docs/rules.md");
});

function* document(): Iterable<string> {
  yield "# Rules of the contract";
  yield "";
  yield "What `diff` says when what a server promises changed. Each rule is shown with two contracts between which it strikes;";
  yield "what they leave out is unknown, and not compared. Tests run every example.";
  yield "";
  yield "| rule | class | layer | what happened |";
  yield "|---|---|---|---|";
  for (const [id, { classes, layer, title }] of rules) {
    yield `| [\`${id}\`](#${id}) | ${classes.join(" or ")} | ${layer} | ${title} |`;
  }
  for (const [id, { title, reason, example }] of rules) {
    yield "";
    yield `## ${id}`;
    yield "";
    yield `${title}. ${reason}`;
    yield "";
    yield "```json";
    yield JSON.stringify({ old: example.old });
    yield JSON.stringify({ new: example.new });
    yield "```";
  }
}
