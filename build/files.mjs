// Which module of the command stands in which of its files. The engine reads a file whole before it runs any of it, and
// each further file costs a start a millisecond. So what a start of `serve` or `record` needs stands in two files: what
// both need, and its own. A module stands in one file only, so that whatever it holds is there once.
//
// @note A file of more than 128 KiB is better than one of a little less: V8 keeps the text of a smaller one among its young
// objects, copies it twice when it collects them, and has to do that earlier. What every start reads is filled up to that.
import { relative } from "node:path";
import { build } from "esbuild";

export const MAIN = "cli.cjs";
const REST = "rooms.cjs";

/** Whoever reads these needs nearly all that they hold. Of the others each module runs when it is asked for. */
export const RUN_WHOLE = new Set([MAIN, "serve.cjs"]);

/**
 * The files, in the order in which a module is given to one that needs it; of each the modules that it is for.
 *
 * `asked`: they are imported dynamically. All that are named nowhere are the last file's.
 *
 * `late`: what most sessions never come to, although it is imported as everything is. The file is read when something
 * that it exports is used the first time, which must not be while the modules that import it are loaded.
 */
const FILES = new Map([
  [MAIN, { asked: [] }],
  ["serve.cjs", { asked: ["src/cli/serve-command.ts"] }],
  ["record.cjs", { asked: ["src/cli/record-command.ts", "src/run/run-stdio-server.ts"] }],
  [
    "secrets.cjs",
    {
      late: [
        "src/redact/credential-value.ts",
        "src/redact/json-walk.ts",
        "src/redact/own-rules.ts",
        "src/redact/text-rules.ts",
        "src/run/secret-shapes.ts",
      ],
    },
  ],
  ["headers.cjs", { late: ["src/wire/irregularity.ts", "src/wire/kept-headers.ts"] }],
  [
    "detours.cjs",
    {
      late: [
        "src/protocol/json-diff.ts",
        "src/replay/eras/legacy-client.ts",
        "src/replay/eras/modern-client.ts",
        "src/replay/eras/openings.ts",
        "src/replay/eras/rounds.ts",
        "src/replay/forward/forwarder.ts",
        "src/replay/loose-index.ts",
        "src/replay/miss.ts",
        "src/replay/rules.ts",
        "src/run/report-file.ts",
        "src/wire/mcp-headers.ts",
      ],
    },
  ],
  [
    "links.cjs",
    {
      asked: [
        "src/run/behind.ts",
        "src/run/run-http-recorder.ts",
        "src/run/serve-new.ts",
        "src/transport/child-link.ts",
        "src/transport/http-doors.ts",
        "src/transport/http-link.ts",
        "src/transport/http-server.ts",
      ],
    },
  ],
  ["yaml.cjs", { asked: ["src/cassette/yaml/codec.ts", "src/config/read-config.ts"] }],
  [REST, { asked: [] }],
]);

/** Whether a module is looked at only when something of it is used. */
export const isLate = (module) => [...FILES.values()].some(({ late }) => late?.includes(module));

/**
 * @param entry the module that is the program
 * @param options esbuild's
 * @returns the file of each module, and which of them others ask for
 */
export async function assign(entry, options) {
  const graph = await graphOf(entry, options);
  const wanted = new Map([...FILES].map(([file, { asked, late }]) => [file, [...(asked ?? late)]]));
  wanted.get(MAIN).push(entry);
  const listed = reach(graph, [...wanted.values()].flat());
  const everything = reach(graph, [entry], ["static", "late", "dynamic"]);
  wanted.set(
    REST,
    dynamicTargets(graph, everything).filter((each) => !listed.has(each)),
  );
  const reached = new Map([...wanted].map(([file, entries]) => [file, reach(graph, entries)]));
  const fileOf = new Map([...everything].map((each) => [each, fileFor(each, reached)]));
  return { fileOf, handed: handedIn(graph, fileOf) };
}

/** Where `record` and `serve` both need it, it stands in the file that every start reads. */
function fileFor(module, reached) {
  const files = [...reached].filter(([, modules]) => modules.has(module)).map(([file]) => file);
  const both = files.includes("serve.cjs") && files.includes("record.cjs");
  return both ? MAIN : files[0];
}

/** By the file that they stand in, the modules that another file imports. */
function handedIn(graph, fileOf) {
  const handed = new Map([...FILES.keys()].map((file) => [file, new Set()]));
  for (const [module, file] of fileOf) {
    for (const { to } of graph.get(module)) if (fileOf.get(to) !== file) handed.get(fileOf.get(to)).add(to);
  }
  return handed;
}

function reach(graph, from, kinds = ["static"]) {
  const reached = new Set();
  const waiting = [...from];
  for (let module = waiting.pop(); module !== undefined; module = waiting.pop()) {
    if (reached.has(module)) continue;
    reached.add(module);
    const imports = graph.get(module);
    if (imports === undefined) throw new Error(`${module} is no module of the command`);
    waiting.push(...imports.filter(({ kind }) => kinds.includes(kind)).map(({ to }) => to));
  }
  return reached;
}

function dynamicTargets(graph, modules) {
  const imports = [...modules].flatMap((each) => graph.get(each));
  return [...new Set(imports.filter(({ kind }) => kind === "dynamic").map(({ to }) => to))].sort();
}

/** What each module imports: sources by their paths, packages by their names. A package's own modules are one with it. */
async function graphOf(entry, options) {
  const { metafile } = await build({ ...options, entryPoints: [entry], outdir: "dist" });
  const graph = new Map();
  for (const [path, { imports }] of Object.entries(metafile.inputs)) {
    if (!isSource(path)) continue;
    const bundled = imports.filter(({ external }) => !external);
    const edges = bundled.map(({ path: to, original, kind }) => ({
      to: isSource(to) ? to : original,
      kind: kind === "dynamic-import" ? "dynamic" : isLate(to) ? "late" : "static",
    }));
    graph.set(path, edges);
    for (const { to } of edges) if (!isSource(to)) graph.set(to, []);
  }
  return graph;
}

export const isSource = (name) => name.startsWith("src/");

/** A module's path as the graph has it. */
export const pathIn = (root, path) => relative(root, path).replaceAll("\\", "/");
