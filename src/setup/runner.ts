import type { Manifest } from "./manifest.ts";
import { type Folder, otherLanguageOf, type Runner } from "./project.ts";

interface RunnerSign {
  /** Packages that come with it. */
  readonly packages: readonly string[];
  /** How a script starts it. */
  readonly script: RegExp;
  readonly files: RegExp;
  /** Member of package.json. */
  readonly key: string | undefined;
}

const SIGNS: Readonly<Record<Runner, RunnerSign>> = {
  vitest: {
    packages: ["vitest"],
    script: /\bvitest\b/,
    files: /^vitest\.(config|workspace)\.[cm]?[jt]s$/,
    key: undefined,
  },
  jest: {
    packages: ["jest", "@jest/globals", "ts-jest", "babel-jest"],
    script: /\bjest\b/,
    files: /^jest\.config\.([cm]?[jt]s|json)$/,
    key: "jest",
  },
  "node-test": { packages: [], script: /\s--test\b/, files: /^$/, key: undefined },
};

/** Runners that have no entry here: their packages, and how a script starts them. */
const OTHERS: readonly (readonly [name: string, packages: readonly string[], script: RegExp])[] = [
  ["mocha", ["mocha"], /\bmocha\b/],
  ["ava", ["ava"], /\bava\b/],
  ["tap", ["tap", "@tapjs/core"], /\btap\b/],
  ["jasmine", ["jasmine"], /\bjasmine\b/],
  ["uvu", ["uvu"], /\buvu\b/],
  ["bun test", [], /\bbun test\b/],
  ["Playwright", ["@playwright/test"], /\bplaywright test\b/],
];

export interface FoundRunners {
  /** Runners of this project, the likeliest first. */
  readonly found: readonly Runner[];
  /** The one of the project, where none of them is there and this one has no entry. */
  readonly other: string | undefined;
}

/** Looks at the script `test` first, then at what is installed and configured. */
export function runnersOf(manifest: Manifest, folder: Folder): FoundRunners {
  const { names } = folder;
  const script = manifest.scripts.get("test") ?? "";
  const here = names[0] ?? [];
  const all = Object.entries(SIGNS) as [Runner, RunnerSign][];
  const started = all.filter(([, sign]) => sign.script.test(script));
  const there = all.filter(
    ([, { packages, files, key }]) =>
      packages.some((name) => manifest.dependencies.has(name)) ||
      here.some((name) => files.test(name)) ||
      (key !== undefined && manifest.keys.includes(key)),
  );
  const found = [...new Set([...started, ...there].map(([runner]) => runner))];
  const other = OTHERS.find(
    ([, packages, starts]) => starts.test(script) || packages.some((name) => manifest.dependencies.has(name)),
  );
  return { found, other: found.length > 0 ? undefined : (other?.[0] ?? languageBeside(manifest, folder)) };
}

/** The language of a project that has a package.json for this program's sake alone. */
function languageBeside({ dependencies }: Manifest, folder: Folder): string | undefined {
  const isAlone = [...dependencies.keys()].every((name) => name === "mcp-vcr");
  return isAlone ? otherLanguageOf(folder) : undefined;
}

/** The least versions that the entries are for. */
const LEAST: Readonly<Record<string, readonly [major: number, minor: number]>> = {
  vitest: [4, 1],
  jest: [30, 0],
};

/** What stands in the way of an example for a runner, as sentences. */
export function obstaclesOf(runner: Runner, manifest: Manifest): string[] {
  const said: string[] = [];
  const range = manifest.dependencies.get(runner);
  const least = LEAST[runner];
  if (range !== undefined && least && isBelow(range, least)) {
    said.push(
      `mcp-vcr/${runner} is for ${runner} ${least.join(".")} or later; package.json asks for ${range}`,
    );
  }
  const script = manifest.scripts.get("test") ?? "";
  if (runner === "jest" && SIGNS.jest.script.test(script) && !script.includes("--experimental-vm-modules")) {
    said.push(
      'the script "test" starts jest without --experimental-vm-modules, and then it runs no test that is an ES module, ' +
        `as the example is: let it be "${JEST}"`,
    );
  }
  return said;
}

/** jest with ES modules. */
export const JEST = "node --experimental-vm-modules node_modules/jest/bin/jest.js";

/** Whether a range such as `^3.2.0` names a version below; what is no plain range is not judged. */
function isBelow(range: string, [major, minor]: readonly [number, number]): boolean {
  const [, first, second] = /^[\^~>=v\s]*(\d+)(?:\.(\d+))?/.exec(range) ?? [];
  if (first === undefined) return false;
  if (Number(first) !== major) return Number(first) < major;
  return /^[=v\s]*\d/.test(range) && second !== undefined && Number(second) < minor;
}
