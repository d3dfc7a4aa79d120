// The command as CommonJS files, which Node 20 starts some 20 ms faster than ES modules.
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { build } from "esbuild";
import { assign, isLate, isSource, MAIN, pathIn, RUN_WHOLE } from "./files.mjs";

/** Comments and white space are a third of what the engine would read. Names and lines stay, for stack traces. */
export const QUICKLY_READ = { minifyWhitespace: true, lineLimit: 120 };

/**
 * What `files` is in all that is bundled: it asks a file for one of its modules. A file that was read is here as the
 * function that gives them, which makes nothing of those that nobody asks for.
 */
const FILES_OBJECT =
  "const files={read:{}," +
  'ask(file,path){if(!files.read[file])require("./"+file)(files);return files.read[file](path)}};';
const SHEBANG = "#!/usr/bin/env node";

/**
 * Bundles the command: `cli.cjs`, and beside it the files that it reads when something in them is asked for.
 * @param entry the module that is the program
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
  const { fileOf, handed } = await assign(entry, shared);
  const sources = [...fileOf.keys()].filter(isSource);
  await refuseOtherUses(sources, root);
  const names = exportsOf(sources, root);
  const results = await Promise.all([...handed.keys()].map(bundleFile));
  refuseTwins(results.map(({ metafile }) => metafile));
  return results;

  async function bundleFile(file) {
    const given = RUN_WHOLE.has(file) ? namesOf(handed.get(file), await names) : modulesOf(handed.get(file));
    const table = tableOf(file, given);
    const result = await build({
      ...shared,
      stdin: {
        contents: file === MAIN ? `import "handed";\nimport "./${entry}";` : table,
        resolveDir: root,
        sourcefile: "file-entry.mjs",
      },
      outfile: `dist/${file}`,
      ...(file === MAIN ? { banner: { js: `${SHEBANG}\n${FILES_OBJECT}` } } : CALLED),
      plugins: [
        ...shared.plugins,
        handedFirst(table, root),
        fromOtherFiles({ root, entry, file, fileOf, names }),
      ],
    });
    const written = result.outputFiles.map(inAscii);
    return { ...result, outputFiles: RUN_WHOLE.has(file) ? written.map(atLeastLarge) : written };
  }
}

/** Each module runs when it is asked for. */
function modulesOf(modules) {
  const rows = [...modules].sort().map((name) => [name, `require(${JSON.stringify(specifier(name))})`]);
  return { imports: [], rows };
}

/** All modules run when the file is read, which spares a function around each, and an object with all it exports. */
function namesOf(modules, names) {
  const sources = [...modules].filter(isSource).sort();
  const imports = sources.map((name, at) => {
    const named = names.get(name).map((each) => `${each} as ${each}$${at}`);
    return `import { ${named.join(", ")} } from ${JSON.stringify(specifier(name))};`;
  });
  const rows = sources.map((name, at) => {
    const members = names.get(name).map((each) => `${each}: ${each}$${at}`);
    return [name, `{ ${members.join(", ")} }`];
  });
  const packages = modulesOf([...modules].filter((name) => !isSource(name)));
  return { imports, rows: [...rows, ...packages.rows] };
}

function tableOf(file, { imports, rows }) {
  const cases = rows.map(([name, module]) => `case ${JSON.stringify(name)}: return ${module};`);
  const given = `files.read[${JSON.stringify(file)}] = (path) => { switch (path) { ${cases.join("\n")} } };`;
  return [...imports, given].join("\n");
}

/** Before the program runs, other files can have what they need of it. */
function handedFirst(contents, resolveDir) {
  return {
    name: "handed-first",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^handed$/ }, () => ({ path: "handed", namespace: "handed", sideEffects: true }));
      onLoad({ filter: /.*/, namespace: "handed" }, () => ({ contents, resolveDir }));
    },
  };
}

/**
 * A function in parentheses is compiled as it is read. Without them the engine reads all of it twice: to find its end,
 * and when it is called.
 */
const CALLED = { banner: { js: "module.exports=(function(files){" }, footer: { js: "});" } };

/** A class that is there twice is two classes, and an error of the one is none of the other. */
function refuseTwins(metafiles) {
  const paths = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const twins = paths.filter(
    (path, at) => (isSource(path) || isOfPackage(path)) && paths.indexOf(path) !== at,
  );
  if (twins.length > 0) throw new Error(`in two files of the command: ${twins.join(", ")}`);
}

/** Packages may stand elsewhere, behind a link. */
const isOfPackage = (path) => /(?:^|\/)node_modules\//.test(path);
const specifier = (name) => (isSource(name) ? `./${name}` : name);

/**
 * One letter beyond Latin-1, in a comment even, doubles the text in memory and takes a third longer to read. esbuild
 * leaves some in comments and regular expressions, where an escape means the same.
 */
function inAscii({ path, text }) {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return { path, contents: text.replace(/[^\x00-\x7f]/g, escaped) };
}

/** See the note in `files.mjs`. White space at the end is read in no time. */
function atLeastLarge({ path, contents }) {
  return { path, contents: contents.padEnd(128 * 1024) };
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

/** Modules that stand in another file are asked of that: when they are imported, by those who import. */
function fromOtherFiles({ root, entry, file, fileOf, names }) {
  return {
    name: "from-other-files",
    setup({ onResolve, onLoad }) {
      const elsewhere = (name, kind) => {
        const owner = fileOf.get(name);
        if (owner === undefined || owner === file) return undefined;
        const how = kind === "dynamic-import" ? "asked" : isLate(name) ? "late" : "taken";
        return { path: name, namespace: how };
      };
      onResolve({ filter: /\.ts$/ }, ({ path, importer, resolveDir, kind }) => {
        const name = pathIn(root, resolve(importer ? dirname(importer) : resolveDir, path));
        // It runs the program, whatever package.json says of what is imported from the package.
        if (name === entry) return { path: resolve(root, path), sideEffects: true };
        return elsewhere(name, kind);
      });
      onResolve({ filter: /^[^.]/ }, ({ path, importer, kind }) =>
        /\bnode_modules\b/.test(importer) ? undefined : elsewhere(path, kind),
      );
      const asked = (path) => `files.ask(${JSON.stringify(fileOf.get(path))}, ${JSON.stringify(path)})`;
      const whole = ({ path }) => ({ contents: `module.exports = ${asked(path)};` });
      onLoad({ filter: /.*/, namespace: "asked" }, whole);
      onLoad({ filter: /.*/, namespace: "late" }, async ({ path }) => ({
        contents: standIns(await readFile(resolve(root, path), "utf8"), asked(path)),
      }));
      // By name: to look into the other file's module at each use takes longer than many a function.
      onLoad({ filter: /^src\//, namespace: "taken" }, async ({ path }) => ({
        contents: `export const { ${(await names).get(path).join(", ")} } = ${asked(path)};`,
      }));
      onLoad({ filter: /.*/, namespace: "taken" }, whole);
    },
  };
}

/**
 * Functions that stand for those that a module exports until one is called, and for its classes where these are made.
 * What else it exports cannot be imported.
 */
function standIns(source, asked) {
  const functions = exportedIn(source).map(({ kind, name }) => {
    const called = kind === "class" ? `new (whole().${name})` : `whole().${name}`;
    return `export function ${name}(...args) { return ${called}(...args); }`;
  });
  return `let known;\nconst whole = () => (known ??= ${asked});\n${functions.join("\n")}`;
}

function exportedIn(source) {
  const found = source.matchAll(/^export (?:async )?(function\*?|class) (\w+)/gm);
  return [...found].map(([, kind, name]) => ({ kind, name }));
}

/** What stands for a class can be made, and no more. */
async function refuseOtherUses(paths, root) {
  const sources = new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(resolve(root, path), "utf8")])),
  );
  for (const late of paths.filter(isLate)) {
    const classes = exportedIn(sources.get(late)).filter(({ kind }) => kind === "class");
    for (const { name } of classes) {
      const use = new RegExp(`\\b(?:instanceof|extends) ${name}\\b|\\b${name}\\.\\w`);
      const users = paths.filter((path) => path !== late && use.test(sources.get(path)));
      if (users.length > 0)
        throw new Error(`${users} must do no more with ${name} than make one: ${late} is late`);
    }
  }
}
