// The command as CommonJS files. What nearly every start needs, `record` and `serve` of a cassette above all, is one
// file: each further one costs a start a millisecond, and Node 20 takes some 20 ms more to start an ES module. But the
// engine reads a file whole before it runs any of it, so what the other commands need stands in a second one.
import { dirname, relative, resolve } from "node:path";
import { build } from "esbuild";

/** What is imported when it is asked for, and yet part of most starts: the codecs, the doors, the far sides. */
const OFTEN = [
  "src/cassette/yaml/codec.ts",
  "src/cli/record-command.ts",
  "src/cli/serve-command.ts",
  "src/config/read-config.ts",
  "src/run/beginning.ts",
  "src/run/behind.ts",
  "src/run/run-http-recorder.ts",
  "src/run/run-stdio-server.ts",
  "src/run/serve-new.ts",
  "src/transport/child-link.ts",
  "src/transport/http-doors.ts",
  "src/transport/http-link.ts",
  "src/transport/http-server.ts",
];

/** Comments and white space are a third of what the engine would read. Names and lines stay, for stack traces. */
export const QUICKLY_READ = { minifyWhitespace: true, lineLimit: 120 };

const SHEBANG = "#!/usr/bin/env node";
const ROOMS = "./rooms.cjs";

/**
 * Bundles the command: `cli.cjs`, and `rooms.cjs` with what only some commands import. A module stands in one of the two
 * only, so that whatever it holds is there once: the first hands its modules to the second, by their paths.
 * @param options esbuild's, with `absWorkingDir` and `plugins`
 */
export async function bundleCommand(entry, options) {
  const root = options.absWorkingDir;
  const shared = {
    ...options,
    format: "cjs",
    ...QUICKLY_READ,
    define: { ...options.define, "import.meta.url": "__filename" },
  };
  const first = await bundleFirst(shared, { entry, handed: [] });
  const rooms = await bundleRooms(shared, { wanted: first.rooms, there: modulesIn(first.metafile) });
  const whole = await bundleFirst(shared, { entry, handed: rooms.taken });
  refuseTwins(whole.metafile, rooms.metafile);
  return [{ ...whole, outputFiles: whole.outputFiles.map(inAscii) }, rooms];

  /** @param handed the modules that the rooms take from here */
  async function bundleFirst(parts, { entry: main, handed }) {
    const asked = new Set();
    const table = handed.map((name) => `${JSON.stringify(name)}: () => require("${specifier(name)}"),`);
    const result = await build({
      ...parts,
      stdin: {
        contents: `import { hand } from "rooms";\nhand({ ${table.join("\n")} });\nimport "./${main}";`,
        resolveDir: root,
        sourcefile: "cli-entry.mjs",
      },
      outfile: "dist/cli.cjs",
      banner: { js: SHEBANG },
      plugins: [...parts.plugins, askRooms(root, asked)],
    });
    return { ...result, rooms: [...asked].sort() };
  }

  async function bundleRooms(parts, { wanted, there }) {
    const taken = new Set();
    const entries = wanted.map((path) => `${JSON.stringify(path)}: () => require("${specifier(path)}"),`);
    const result = await build({
      ...parts,
      stdin: { contents: `export const rooms = { ${entries.join("\n")} };`, resolveDir: root },
      outfile: "dist/rooms.cjs",
      // A function in parentheses is compiled as it is read. Without them the engine reads all of it twice: to find its
      // end, and when it is called.
      banner: { js: "module.exports = (function (first) { const module = { exports: {} };" },
      footer: { js: "return module.exports; });" },
      plugins: [...parts.plugins, takeFromFirst(root, { there, taken })],
    });
    return { ...result, taken: [...taken].sort() };
  }
}

/** A class that is there twice is two classes, and an error of the one is none of the other. */
function refuseTwins(first, rooms) {
  const isFile = (path) => isSource(path) || isOfPackage(path);
  const twins = Object.keys(first.inputs).filter((path) => isFile(path) && path in rooms.inputs);
  if (twins.length > 0) throw new Error(`in both files of the command: ${twins.join(", ")}`);
}

/** The sources in a bundle, by their paths, and the packages that they import, by their names. */
function modulesIn({ inputs }) {
  const sources = Object.keys(inputs).filter((path) => path.startsWith("src/"));
  const imports = sources.flatMap((path) => inputs[path].imports);
  const packages = imports.filter(({ path }) => isOfPackage(path)).map((each) => each.original);
  return new Set([...sources, ...packages]);
}

/** Packages may stand elsewhere, behind a link. */
const isOfPackage = (path) => /(?:^|\/)node_modules\//.test(path);
const isSource = (name) => name.startsWith("src/");
const specifier = (name) => (isSource(name) ? `./${name}` : name);

/**
 * One letter beyond Latin-1, in a comment even, doubles the text in memory and takes a third longer to read. esbuild
 * leaves some in comments and regular expressions, where an escape means the same.
 */
function inAscii({ path, text }) {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return { path, contents: text.replace(/[^\x00-\x7f]/g, escaped) };
}

/** Where an import in the sources leads, if it leads to one of them. */
function sourceOf({ path, importer, resolveDir }, root) {
  if (!path.startsWith(".") || !path.endsWith(".ts")) return undefined;
  return relative(root, resolve(importer ? dirname(importer) : resolveDir, path)).replaceAll("\\", "/");
}

/** In the first file: what is imported when asked for, and seldom, comes from the second. */
function askRooms(root, asked) {
  return {
    name: "ask-rooms",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^rooms$/ }, () => ({ path: "rooms", namespace: "rooms" }));
      onLoad({ filter: /^rooms$/, namespace: "rooms" }, () => ({
        contents: `
          let first;
          let rooms;
          export const hand = (modules) => { first = modules; };
          export const ask = (path) => (rooms ??= require(${JSON.stringify(ROOMS)})(first).rooms)[path]();`,
        resolveDir: root,
      }));
      onResolve({ filter: /^\.\/rooms\.cjs$/ }, () => ({ path: ROOMS, external: true }));
      onResolve({ filter: /^\.\/src\/cli\/main\.ts$/ }, ({ path }) => ({
        path: resolve(root, path),
        // It runs the program, whatever package.json says of what is imported from the package.
        sideEffects: true,
      }));
      onResolve({ filter: /\.ts$/ }, (args) => {
        const path = args.kind === "dynamic-import" ? sourceOf(args, root) : undefined;
        if (path === undefined || OFTEN.includes(path)) return undefined;
        asked.add(path);
        return { path, namespace: "room" };
      });
      onLoad({ filter: /.*/, namespace: "room" }, ({ path }) => ({
        contents: `module.exports = require("rooms").ask(${JSON.stringify(path)});`,
        resolveDir: root,
      }));
    },
  };
}

/** The names of the values that sources export, by their paths. */
async function exportsOf(paths, root) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: paths,
    outdir: "dist",
    format: "esm",
    write: false,
    metafile: true,
  });
  return new Map(Object.values(metafile.outputs).map((each) => [each.entryPoint, each.exports]));
}

/** In the second file: what stands in the first comes from there. */
function takeFromFirst(root, { there, taken }) {
  const names = exportsOf([...there].filter(isSource), root);
  return {
    name: "take-from-first",
    setup({ onResolve, onLoad }) {
      const taking = (name) => {
        if (name === undefined || !there.has(name)) return undefined;
        taken.add(name);
        return { path: name, namespace: "first" };
      };
      onResolve({ filter: /\.ts$/ }, (args) => taking(sourceOf(args, root)));
      onResolve({ filter: /^[^.]/ }, ({ path, importer }) =>
        /\bnode_modules\b/.test(importer) ? undefined : taking(path),
      );
      // By name: to look into the other file's module at each use takes longer than many a function.
      onLoad({ filter: /^src/, namespace: "first" }, async ({ path }) => ({
        contents: `export const { ${(await names).get(path).join(", ")} } = first[${JSON.stringify(path)}]();`,
      }));
      onLoad({ filter: /.*/, namespace: "first" }, ({ path }) => ({
        contents: `module.exports = first[${JSON.stringify(path)}]();`,
      }));
    },
  };
}
