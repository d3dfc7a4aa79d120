import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** What an entry of the package exports, as the source declares and describes it. */
export interface Exported {
  readonly name: string;
  /** As it is written, without bodies: one for each overload. */
  readonly signatures: readonly string[];
  /** Its docstring, as a paragraph. */
  readonly text: string;
  readonly members: readonly Member[];
}

export interface Member {
  readonly signature: string;
  readonly text: string;
}

/** The exports of a file, sorted by name; what it hands on from other files is looked up there. */
export function exportsOf(file: string): readonly Exported[] {
  const source = readFileSync(file, "utf8");
  const handedOn = [...source.matchAll(/^export (?:type )?\{([^}]*)\} from "(\.[^"]+)";/gm)].flatMap(
    ([, names = "", from = ""]) => namesIn(names).map((name) => declared(join(dirname(file), from), name)),
  );
  const own = [...source.matchAll(/^export (?:async function|function|interface|class|const|type) (\w+)/gm)]
    .map(([, name = ""]) => name)
    .filter((name, index, all) => all.indexOf(name) === index)
    .map((name) => declared(file, name));
  return [...handedOn, ...own].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function namesIn(list: string): string[] {
  return list
    .split(",")
    .map((name) => name.trim().replace(/^type /, ""))
    .filter((name) => name !== "");
}

/** @throws Error for a name that the file does not declare */
function declared(file: string, name: string): Exported {
  const source = readFileSync(file, "utf8");
  const heads = [
    ...source.matchAll(
      new RegExp(`^export (?:async )?(?:abstract )?(function|interface|class|const|type) ${name}\\b`, "gm"),
    ),
  ];
  const [first] = heads;
  if (!first) {
    const onward = new RegExp(`^export (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\} from "(\\.[^"]+)";`, "m").exec(
      source,
    );
    if (onward?.[1]) return declared(join(dirname(file), onward[1]), name);
    throw new Error(`${file} declares no ${name}`);
  }
  const all = heads.map((head) => declarationAt(source, head.index));
  const overloads = all.filter((text) => text.endsWith(";"));
  const hasBody = first[1] === "interface" || first[1] === "class";
  return {
    name,
    signatures: (first[1] === "function" && overloads.length > 0 ? overloads : all.slice(0, 1)).map(brief),
    text: docstringBefore(source, first.index),
    members: hasBody ? membersOf(file, source, first.index) : [],
  };
}

/** Up to its body, or its end. */
function declarationAt(source: string, start: number): string {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    const char = source[at];
    if (char === ";" && depth === 0) return source.slice(start, at + 1);
    if (char === "{" && depth === 0 && /(?<!readonly)(?<=[)\w>\]])\s$/.test(source.slice(start, at))) {
      const isType = /^export type \w+[^=]*=\s/.test(source.slice(start, at));
      if (!isType) return source.slice(start, at);
    }
    if ("({[".includes(char ?? "")) depth++;
    if (")}]".includes(char ?? "")) depth--;
  }
  return source.slice(start);
}

function brief(text: string): string {
  return text
    .replace(/\/\*\*[\s\S]*?\*\//g, "")
    .replace(/ \/\/ .*$/gm, "")
    .replace(/^export (async )?(function )?/, "")
    .replace(/\s+/g, " ")
    .replace(/ = \| /, " = ")
    .replace(/([([]) /g, "$1")
    .replace(/,? ([)\]])/g, "$1")
    .replace(/ = (\{\}|"[^"]*")(?=[,)])/g, "")
    .replace(/;? $|;$/, "")
    .trim();
}

/** The text of the docstring that ends where something begins, without examples; tags as sentences. */
function docstringBefore(source: string, start: number): string {
  const before = source.slice(0, start).trimEnd();
  if (!before.endsWith("*/")) return "";
  const comment = before.slice(before.lastIndexOf("/**") + 3, -2);
  const text = comment.replace(/^\s*\* ?/gm, "").replace(/```[\s\S]*?```/g, "");
  return text
    .replace(/@internal/g, "(internal)")
    .replace(/@param (\w+) /g, "\n`$1`: ")
    .replace(/@throws (\w+) ?/g, "\nThrows $1 ")
    .replace(/@note /g, "\n")
    .trim()
    .replace(/([^.:;)\s])\n+(?=`\w+`:|Throws)/g, "$1. ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Public members, those of the class that it extends first. */
function membersOf(file: string, source: string, start: number): readonly Member[] {
  const head = declarationAt(source, start);
  const open = source.indexOf("{", start + head.length - 1);
  const end = source.indexOf("\n}", open);
  const parent = /^export class \w+ extends (\w+)/.exec(head)?.[1];
  const from =
    parent && new RegExp(`import \\{[^}]*\\b${parent}\\b[^}]*\\} from "(\\.[^"]+)"`).exec(source)?.[1];
  const inherited = from ? declared(join(dirname(file), from), parent).members : [];
  const own = [...source.slice(open, end).matchAll(MEMBER)].flatMap(({ 0: line, index }) => {
    const at = open + index + 1;
    const text = docstringBefore(source, at);
    if (HIDDEN.test(line) || text.includes("(internal)")) return [];
    return [{ signature: memberText(declarationAt(source, at)), text }];
  });
  const names = new Set(own.map(({ signature }) => nameIn(signature)));
  return [...inherited.filter(({ signature }) => !names.has(nameIn(signature))), ...own];
}

/** A member begins a line, two spaces in. */
const MEMBER = /^ {2}(?=[\w[#])[^\n]*/gm;
const HIDDEN = /^\s*((readonly|async|get|set) )*(#|private|protected|constructor|return|static)/;

function memberText(text: string): string {
  return brief(text.trim())
    .replace(/^(override |async |readonly )+/, "")
    .replace(/^get (\w+)\(\)/, "$1")
    .replace(/ = async \(.*$/, "(input, init?)");
}

function nameIn(signature: string): string {
  return /^\[?[\w.]+/.exec(signature)?.[0] ?? signature;
}
