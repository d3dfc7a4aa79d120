import { builtinModules } from "node:module";
import { posix } from "node:path";
import { parseAst } from "vitest/node";
import type { SourceTree } from "./source-tree.ts";

/** Folders of src in the order the data flows. A folder imports only from its left; left of the bar, no Node. */
const ORDER: readonly string[] = [
  "protocol",
  "wire",
  "exchange",
  "redact",
  "cassette",
  "replay",
  "rerecord",
  "drive",
  "faults",
  "scenario",
  "contract",
  "drift",
  "report",
  "inspect",
  "check",
  "convert",
  "setup",
  "|",
  "transport",
  "run",
  "config",
  "testing",
  "cli",
];

/** Folders whose files touch nothing of Node. */
export const PURE_FOLDERS: readonly string[] = ORDER.slice(0, ORDER.indexOf("|"));

/** Uses of what is forbidden that do no harm, with the reason. One that is no longer needed is a fault. */
export const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  [
    "src/protocol/json-keys.ts: Math.random",
    "seeds a hash table against prepared collisions; no outcome depends on it",
  ],
  ["src/config/load-module.ts: (computed)", "loads the configuration that the user wrote, wherever it is"],
]);

/** What is handed in to the core: clock, ids, randomness, hashing, and everything that only Node has. */
const FORBIDDEN_GLOBALS = new Set(
  `process Buffer global require module exports __dirname __filename setTimeout setInterval setImmediate clearTimeout
  clearInterval clearImmediate performance crypto console fetch WebSocket EventSource Worker NodeJS`.split(
    /\s+/,
  ),
);
const FORBIDDEN_MEMBERS = new Set(["Date.now", "Math.random"]);
const BUILTINS = new Set(builtinModules);

interface SyntaxNode {
  readonly type: string;
  readonly [key: string]: unknown;
}

export interface FileFacts {
  /** What it imports or exports from: statically, dynamically, or for types alone. */
  readonly imports: readonly string[];
  /** Forbidden globals it uses, in order. */
  readonly globals: readonly string[];
}

/** Reads imports and global names out of one TypeScript file. Throws where it does not parse. */
export function readFacts(text: string): FileFacts {
  const imports: string[] = [];
  const globals: string[] = [];
  const declared = new Set<string>();
  const visit = (node: SyntaxNode, parent: SyntaxNode | undefined, key: string): void => {
    const source = importSource(node);
    if (source !== undefined) imports.push(source);
    for (const name of boundNames(node, parent, key)) declared.add(name);
    const name = globalName(node, parent, key);
    if (name !== undefined) globals.push(name);
    for (const [childKey, child] of Object.entries(node)) {
      for (const each of Array.isArray(child) ? child : [child])
        if (isNode(each)) visit(each, node, childKey);
    }
  };
  visit(parseAst(text, { lang: "ts" }) as unknown as SyntaxNode, undefined, "");
  return { imports, globals: globals.filter((name) => !declared.has(name)) };
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null && typeof (value as SyntaxNode).type === "string";
}

const IMPORTING = new Set([
  "ImportDeclaration",
  "ExportNamedDeclaration",
  "ExportAllDeclaration",
  "ImportExpression",
  "TSImportType",
]);

function importSource(node: SyntaxNode): string | undefined {
  if (!IMPORTING.has(node.type) || !isNode(node.source)) return undefined;
  if (node.source.type !== "Literal") return "(computed)";
  return node.source.value as string;
}

/** Names this node declares: they hide the globals of the same name. */
function boundNames(node: SyntaxNode, parent: SyntaxNode | undefined, key: string): string[] {
  if (node.type === "ObjectPattern") {
    const values = (node.properties as SyntaxNode[]).map((property) => nameOf(property.value));
    return values.filter((name) => name !== undefined);
  }
  return node.type === "Identifier" && isBinding(parent, key) ? [node.name as string] : [];
}

function isBinding(parent: SyntaxNode | undefined, key: string): boolean {
  if (!parent) return false;
  if (parent.type === "VariableDeclarator") return key === "id";
  if (parent.type === "AssignmentPattern") return key === "left";
  if (/^Import.*Specifier$/.test(parent.type)) return key === "local";
  if (/Function/.test(parent.type)) return key === "params" || key === "id";
  return parent.type === "ArrayPattern" || parent.type === "RestElement";
}

function globalName(node: SyntaxNode, parent: SyntaxNode | undefined, key: string): string | undefined {
  if (
    node.type === "NewExpression" &&
    nameOf(node.callee) === "Date" &&
    (node.arguments as unknown[]).length === 0
  ) {
    return "new Date()";
  }
  if (node.type === "MemberExpression") {
    const path = `${nameOf(node.object)}.${nameOf(node.property)}`;
    return FORBIDDEN_MEMBERS.has(path) ? path : undefined;
  }
  const name = node.type === "Identifier" ? (node.name as string) : "";
  return FORBIDDEN_GLOBALS.has(name) && !isMemberName(parent, key) ? name : undefined;
}

function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.type === "Identifier" ? (node.name as string) : undefined;
}

/** `x.process`, `{ process: 1 }`, `process(): void` in an interface: names of members, not the global. */
function isMemberName(parent: SyntaxNode | undefined, key: string): boolean {
  if (!parent) return false;
  if (key === "property") return parent.computed !== true;
  if (key === "key") return parent.computed !== true && parent.shorthand !== true;
  if (key === "right") return parent.type === "TSQualifiedName";
  return key === "exported" || key === "imported" || key === "label";
}

/** Everything in the tree (paths like `src/wire/x.ts`) that breaks the order, as sentences. */
export function findFaults(tree: SourceTree, exceptions: ReadonlyMap<string, string> = new Map()): string[] {
  const files = [...tree].map(([path, text]) => ({ path, ...readFacts(text) }));
  const graph = new Map(files.map(({ path, imports }) => [path, imports.flatMap((it) => resolve(path, it))]));
  return [
    ...files.flatMap(({ path }) => unknownFolder(path)),
    ...files.flatMap(({ path, imports }) =>
      imports.filter((it) => !exceptions.has(`${path}: ${it}`)).flatMap((it) => wrongImport(path, it, tree)),
    ),
    ...wrongGlobals(files, exceptions),
    ...findCircles(graph),
  ];
}

function folderOf(path: string): string | undefined {
  return path.match(/^src\/([^/]+)\//)?.[1];
}

function resolve(from: string, specifier: string): string[] {
  return specifier.startsWith(".") ? [posix.join(posix.dirname(from), specifier)] : [];
}

function unknownFolder(path: string): string[] {
  const folder = folderOf(path);
  if (folder === undefined || ORDER.includes(folder)) return [];
  return [
    `${path}: the folder "${folder}" has no place in ORDER (test/house/import-order.ts); add it where its data flows`,
  ];
}

const BAR = ORDER.indexOf("|");

/** The files beside the folders: all but the library's entry may be imported by anyone, and are core themselves. */
function isCore(path: string): boolean {
  const folder = folderOf(path);
  return folder === undefined ? path !== "src/index.ts" : ORDER.indexOf(folder) < BAR;
}

function wrongImport(path: string, specifier: string, tree: SourceTree): string[] {
  if (specifier === "(computed)") return [`${path}: imports a computed name; write the name out`];
  if (!specifier.startsWith("."))
    return isCore(path) && isNodeModule(specifier) ? [coreFault(path, specifier)] : [];
  const [target] = resolve(path, specifier) as [string];
  if (target.endsWith(".json")) return [];
  if (!tree.has(target)) return [`${path}: imports ${specifier}, which is no file of src`];
  if (target === "src/index.ts")
    return [`${path}: imports the library's entry; import the file that holds the thing`];
  const [own, other] = [folderOf(path), folderOf(target)];
  if (own === other || other === undefined || path === "src/index.ts") return [];
  if (own === undefined) return [`${path}: imports from ${other}; files beside the folders import no folder`];
  if (ORDER.indexOf(other) < ORDER.indexOf(own)) return [];
  return [`${path}: imports ${target}; ${own} may import only from its left in ORDER`];
}

function isNodeModule(specifier: string): boolean {
  return (
    specifier.startsWith("node:") ||
    BUILTINS.has(specifier) ||
    BUILTINS.has(specifier.split("/")[0] as string)
  );
}

function coreFault(path: string, name: string): string {
  return `${path}: uses ${name}; left of the bar nothing touches Node, clock or randomness, so have it handed in`;
}

interface UsedGlobals extends FileFacts {
  readonly path: string;
}

function wrongGlobals(files: readonly UsedGlobals[], exceptions: ReadonlyMap<string, string>): string[] {
  const core = files.filter(({ path }) => isCore(path));
  const used = new Set(core.flatMap(({ path, globals }) => globals.map((name) => `${path}: ${name}`)));
  const imported = new Set(files.flatMap(({ path, imports }) => imports.map((name) => `${path}: ${name}`)));
  const stale = [...exceptions.keys()].filter((use) => !used.has(use) && !imported.has(use));
  return [
    ...[...used]
      .filter((use) => !exceptions.has(use))
      .map((use) => coreFault(...(use.split(": ") as [string, string]))),
    ...stale.map(
      (use) => `${use} is in EXCEPTIONS (test/house/import-order.ts) and no longer used; take it out`,
    ),
  ];
}

/** Circles of files that import each other, each once. */
function findCircles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const circles: string[] = [];
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) {
      circles.push(`import circle: ${[...trail.slice(start), path].join(" -> ")}`);
      return;
    }
    if (done.has(path)) return;
    for (const target of graph.get(path) ?? []) walk(target, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) walk(path, []);
  return circles;
}
