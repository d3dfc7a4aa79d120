// Builds dist/: the command, the library, its type declarations, the JSON Schemas, the page of `inspect --format html`,
// and the notices of what is bundled.
// `node build.mjs --metafile FILE` also writes esbuild's metafile, for looking into sizes.
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire, isBuiltin } from "node:module";
import { basename, dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { bundleCommand, QUICKLY_READ } from "./build/command.mjs";

const require = createRequire(import.meta.url);
const ROOT = dirname(fileURLToPath(import.meta.url));
const DIST = join(ROOT, "dist");

const COMMAND = "src/cli/main.ts";
/** What is imported from the package, by the name in dist/. */
const LIBRARY = {
  index: "src/index.ts",
  vitest: "src/testing/runners/vitest.ts",
  jest: "src/testing/runners/jest.ts",
  "node-test": "src/testing/runners/node-test.ts",
  msw: "src/testing/msw.ts",
};

/** What a page imports from the package: each a file of its own, without anything of Node. */
const FOR_BROWSERS = { "msw-browser": "src/testing/msw-browser.ts" };
/** Folders of dist/ and what comes with the program in them: scenarios that are served by name, the example of `init`. */
const READY = { scenarios: "src/scenario/ready", example: "src/setup/example" };

/** Packages that most runs never need: each a file of its own, read when first asked for. */
const SELDOM = /^(ajv|ajv-formats|cosmiconfig|diff|js-yaml)($|\/)/;
const NOTICE_FILE = "THIRD-PARTY-LICENSES.txt";

/**
 * commander asks for node:child_process when it loads and uses it for subcommands that are programs of their own, which
 * there are none of. Loading it costs every start some milliseconds.
 */
const lazyChildProcess = {
  name: "lazy-child-process",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      importer.includes(join("node_modules", "commander"))
        ? { path: "child_process", namespace: "lazy" }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: "lazy" }, () => ({
      contents: `module.exports = { get spawn() { return process.getBuiltinModule("node:child_process").spawn; } };`,
    }));
  },
};

/** What is bundled of CommonJS asks for modules of Node by `require`, which an ES module does not have. */
const builtinsAsModules = {
  name: "builtins-as-modules",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z_:/]+$/ }, ({ path, kind }) =>
      kind === "require-call" && isBuiltin(path)
        ? { path: path.replace(/^node:/, ""), namespace: "builtin" }
        : undefined,
    );
    onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
      contents: `export * from "node:${path}"; export { default } from "node:${path}";`,
    }));
  },
};

const manifest = JSON.parse(await readFile(join(ROOT, "package.json"), "utf8"));

const SHARED = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: "node",
  target: "node20.19",
  // Names stay as they are, so that stack traces stay readable.
  minifySyntax: true,
  legalComments: "none",
  define: { __VERSION__: JSON.stringify(manifest.version) },
  metafile: true,
  write: false,
  logLevel: "warning",
};

const [written, page] = await Promise.all([bundle(), makePage(), declareTypes()]);
const kept = new Set([...written, page, ...(await copySchemas()), ...(await copyReady())]);
await removeStale(kept);

/** Bundles command and library, and answers the names written into dist/. */
async function bundle() {
  const seldom = new Set();
  const command = bundleCommand(COMMAND, {
    ...SHARED,
    external: Object.keys(manifest.dependencies),
    plugins: [lazyChildProcess, apart(seldom)],
  });
  const bundles = (await Promise.all([bundleLibrary(), bundleForBrowsers(), command])).flat();
  bundles.push(...(await Promise.all([...seldom].map(bundleSeldom))));
  const outputFiles = bundles.flatMap((each) => each.outputFiles);
  const metafile = { outputs: Object.assign({}, ...bundles.map((each) => each.metafile.outputs)) };
  await mkdir(join(DIST, "seldom"), { recursive: true });
  await Promise.all(outputFiles.map((file) => writeFile(file.path, file.contents)));
  await chmod(join(DIST, "cli.cjs"), 0o755);
  await writeFile(join(DIST, NOTICE_FILE), await notices(metafile));
  const metafilePath = process.argv[process.argv.indexOf("--metafile") + 1];
  if (process.argv.includes("--metafile")) await writeFile(metafilePath, JSON.stringify(metafile));
  return [...new Set(outputFiles.map((file) => relative(DIST, file.path))), NOTICE_FILE];
}

/** Code splitting keeps dynamic imports lazy. */
function bundleLibrary() {
  return build({
    ...SHARED,
    entryPoints: LIBRARY,
    outdir: "dist",
    chunkNames: "[name]-[hash]",
    external: [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)],
    splitting: true,
    format: "esm",
    plugins: [builtinsAsModules],
  });
}

/** What is of Node in it, other than timers, fails the build. */
function bundleForBrowsers() {
  return build({
    ...SHARED,
    entryPoints: FOR_BROWSERS,
    outdir: "dist",
    external: Object.keys(manifest.peerDependencies),
    alias: { "node:timers": "./src/testing/browser/node-timers.ts" },
    platform: "browser",
    target: "es2022",
    format: "esm",
  });
}

function apart(seldom) {
  return {
    name: "seldom",
    setup({ onResolve }) {
      onResolve({ filter: SELDOM }, ({ path }) => {
        seldom.add(path);
        return { path: `./seldom/${seldomName(path)}.cjs`, external: true };
      });
    },
  };
}

/** Node finds the named exports of CommonJS in its text, without running it; the footer, which never runs, names them. */
function bundleSeldom(path) {
  const names = Object.keys(require(path)).filter(
    (name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== "default",
  );
  return build({
    ...SHARED,
    stdin: { contents: `module.exports = require(${JSON.stringify(path)});`, resolveDir: ROOT },
    outfile: `dist/seldom/${seldomName(path)}.cjs`,
    ...QUICKLY_READ,
    // cosmiconfig's own loader of TypeScript asks for it, and ours takes that one's place.
    external: ["typescript"],
    format: "cjs",
    footer: { js: `0 && (module.exports = { ${names.join(", ")} });` },
  });
}

/** One file that needs no network: its style and script stand in it, and its policy lets nothing else run. */
async function makePage() {
  const folder = join(ROOT, "src/inspect/page");
  const shared = {
    absWorkingDir: ROOT,
    bundle: true,
    minify: true,
    write: false,
    legalComments: "none",
    logLevel: "warning",
  };
  const [text, script, style] = await Promise.all([
    readFile(join(folder, "index.html"), "utf8"),
    build({
      ...shared,
      entryPoints: [join(folder, "main.js")],
      format: "iife",
      target: "es2022",
      charset: "utf8",
    }),
    build({ ...shared, entryPoints: [join(folder, "style.css")] }),
  ]);
  const parts = {
    script: script.outputFiles[0].text.trim().replace(/<(?=\/script|!--)/g, "\\x3c"),
    style: style.outputFiles[0].text.trim(),
  };
  const hash = (part) => `'sha256-${createHash("sha256").update(part).digest("base64")}'`;
  const policy = `default-src 'none'; script-src ${hash(parts.script)}; style-src ${hash(parts.style)}; base-uri 'none'; form-action 'none'`;
  const whole = text
    .replace("<!-- the policy -->", () => policy)
    .replace("/* the style */", () => parts.style)
    .replace("/* the script */", () => parts.script);
  await mkdir(DIST, { recursive: true });
  await writeFile(join(DIST, "inspect.html"), whole);
  return "inspect.html";
}

function seldomName(path) {
  return path.replaceAll(/[^\w.-]+/g, "_");
}

async function notices(metafile) {
  const folders = new Set();
  for (const output of Object.values(metafile.outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      const folder = packageFolder(input);
      if (folder && bytesInOutput > 0) folders.add(folder);
    }
  }
  const parts = await Promise.all([...folders].sort().map(noticeOf));
  const intro = `${manifest.name} contains code of the following packages.\n`;
  return [intro, ...parts].join(`\n${"-".repeat(80)}\n\n`);
}

/** `node_modules/@scope/name` of a path inside it, the innermost one. */
function packageFolder(path) {
  return path.match(/^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0];
}

async function noticeOf(folder) {
  const { name, version, license, author } = JSON.parse(
    await readFile(join(ROOT, folder, "package.json"), "utf8"),
  );
  const files = await readdir(join(ROOT, folder));
  const file = files.find((each) => /^(licen[cs]e|copying)([.-]|$)/i.test(each));
  if (!license && !file) throw new Error(`${folder} is bundled but names no licence`);
  const text = file
    ? await readFile(join(ROOT, folder, file), "utf8")
    : `Licence: ${license}. Author: ${author?.name ?? author ?? "not named"}.\n`;
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}

/** tsc takes its files from a configuration of its own that extends the repository's one. */
async function declareTypes() {
  const cache = join(ROOT, "node_modules/.cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "types-"));
  const project = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      stripInternal: true,
      rootDir: join(ROOT, "src"),
      outDir: join(folder, "types"),
    },
    files: Object.values({ ...LIBRARY, ...FOR_BROWSERS }).map((entry) => join(ROOT, entry)),
    include: [],
  };
  try {
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(project));
    await run(join(ROOT, "node_modules/typescript/bin/tsc"), ["-p", folder]);
    await rm(join(DIST, "types"), { recursive: true, force: true });
    await cp(join(folder, "types"), join(DIST, "types"), { recursive: true });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(program, args) {
  await promisify(execFile)(process.execPath, [program, ...args], { cwd: ROOT }).catch((error) => {
    process.stderr.write(error.stdout);
    throw new Error(`${relative(ROOT, program)} ended with exit code ${error.code}`);
  });
}

/** Schemas stand beside what they describe, in folders of that name. */
async function copySchemas() {
  const files = await readdir(join(ROOT, "src"), { recursive: true });
  const schemas = files.filter((file) => file.endsWith(".schema.json"));
  if (schemas.length === 0) throw new Error("no JSON Schema in src");
  await mkdir(join(DIST, "schema"), { recursive: true });
  const copied = (file) => join("schema", basename(file));
  await Promise.all(schemas.map((file) => cp(join(ROOT, "src", file), join(DIST, copied(file)))));
  return schemas.map(copied);
}

async function copyReady() {
  const copies = Object.entries(READY).map(async ([name, folder]) => {
    await cp(join(ROOT, folder), join(DIST, name), { recursive: true });
    return (await readdir(join(ROOT, folder))).map((file) => join(name, file));
  });
  return (await Promise.all(copies)).flat();
}

/** Files of earlier builds go last, so that a command in use during a build keeps its chunks as long as it can. */
async function removeStale(kept) {
  const files = await readdir(DIST, { recursive: true, withFileTypes: true });
  for (const file of files) {
    const name = relative(DIST, join(file.parentPath ?? file.path, file.name));
    if (file.isFile() && !kept.has(name) && !name.startsWith(`types${sep}`)) await rm(join(DIST, name));
  }
}
