/** A folder as detection sees it. Paths begin at the folder and have `/` between their parts. */
export interface Folder {
  /** Text of a file; undefined where there is none. */
  text(path: string): string | undefined;
  /** Names of what is in the folder, then in each folder above it, up to the root of the repository. */
  readonly names: readonly (readonly string[])[];
}

/** Test runners that have an entry of this package. */
export const RUNNERS = ["vitest", "jest", "node-test"] as const;
export type Runner = (typeof RUNNERS)[number];

export type PackageManager = "npm" | "pnpm" | "yarn" | "bun";

interface Manager {
  /** How it runs a package's command. */
  readonly run: string;
  /** The same for a client that speaks over stdio: yarn 1 prints lines of its own. */
  readonly start: readonly string[];
  /** How it runs a script of package.json. */
  readonly script: string;
  /** How it adds a package for development. */
  readonly add: string;
}

export const MANAGERS: Readonly<Record<PackageManager, Manager>> = {
  npm: { run: "npx", start: ["npx"], script: "npm run", add: "npm install -D" },
  pnpm: { run: "pnpm exec", start: ["pnpm", "exec"], script: "pnpm run", add: "pnpm add -D" },
  yarn: { run: "yarn", start: ["npx"], script: "yarn run", add: "yarn add -D" },
  bun: { run: "bunx", start: ["bunx"], script: "bun run", add: "bun add -d" },
};

const LOCK_FILES: readonly (readonly [file: string, PackageManager])[] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
];

/** The package manager whose lock file is nearest, else the one that package.json names, else npm. */
export function packageManagerOf({ names }: Folder, named: string | undefined): PackageManager {
  for (const here of names) {
    const found = LOCK_FILES.find(([file]) => here.includes(file));
    if (found) return found[1];
  }
  const manager = named?.split("@")[0] ?? "";
  return Object.hasOwn(MANAGERS, manager) ? (manager as PackageManager) : "npm";
}

/** Files that tell a project of another language. */
const OTHER_LANGUAGES: readonly (readonly [file: RegExp, language: string])[] = [
  [/^(pyproject\.toml|setup\.(py|cfg)|requirements.*\.txt|Pipfile|.*\.py)$/, "Python"],
  [/^go\.mod$/, "Go"],
  [/^Cargo\.toml$/, "Rust"],
  [/^(pom\.xml|build\.gradle(\.kts)?)$/, "Java"],
  [/^.*\.(csproj|sln)$/, "C#"],
  [/^Gemfile$/, "Ruby"],
];

/** The language of a project that is not JavaScript, where its files tell. */
export function otherLanguageOf({ names }: Folder): string | undefined {
  const here = names[0] ?? [];
  return OTHER_LANGUAGES.find(([file]) => here.some((name) => file.test(name)))?.[1];
}
