import { github } from "./github.ts";
import { json } from "./json.ts";
import { junit } from "./junit.ts";
import { markdown } from "./markdown.ts";
import type { Reporter } from "./reporter.ts";
import { sarif } from "./sarif.ts";
import { terminal } from "./terminal.ts";

/** Every format by its name. */
export const REPORTERS = { terminal, json, markdown, junit, sarif, github } as const satisfies Record<
  string,
  Reporter
>;

export type Format = keyof typeof REPORTERS;

export const FORMATS = Object.keys(REPORTERS) as readonly Format[];
