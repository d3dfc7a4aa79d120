import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { LISTS } from "../../src/drive/pages.ts";
import { outcomeKeys } from "../../src/scenario/read/outcomes.ts";
import { TOP } from "../../src/scenario/read/read-scenario.ts";
import { load } from "../unit/scenario/support.ts";
import { codeBlocks } from "./code-blocks.ts";

const PAGE = "docs/scenarios.md";
const page = readFileSync(PAGE, "utf8");
const YAML = codeBlocks(PAGE).filter(({ language }) => language === "yaml");

/** What stands around a block that is a part of a scenario. */
const AROUND = `scenario: 1
resources: [{ uri: weather://stations }]
tools:
  - { name: late }
  - { name: secret }
`;

describe(PAGE, () => {
  test.each(YAML.map(({ text, line }) => [line, text] as const))(
    "line %i is a scenario, or a part of one",
    async (_, text) => {
      if (text.startsWith("scenario:")) await load({ "s.yaml": text });
      else if (text.startsWith("replies:"))
        await load({ "s.yaml": `${AROUND}  - name: forecast\n${text.replace(/^/gm, "    ")}\n` });
      else await load({ "s.yaml": `${AROUND}  - { name: forecast }\n${text}` });
    },
  );

  test("names every member of the file and everything that can be answered", () => {
    const words = [
      ...TOP,
      ...Object.keys(LISTS),
      ...outcomeKeys("tool"),
      ...outcomeKeys("resource"),
      ...outcomeKeys("prompt"),
    ];
    const missing = words.filter((word) => word !== "_meta" && !page.includes(`\`${word}`));
    expect(missing).toEqual([]);
  });
});
