/** An element as XML has it. */
interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: Element[];
  text: string;
}

const TOKEN = /<\?xml[^?]*\?>|<(\/?)([A-Za-z][\w-]*)((?:\s+[A-Za-z][\w-]*="[^"<]*")*)\s*(\/?)>|([^<]+)|(<)/gy;
const ATTRIBUTE = /([A-Za-z][\w-]*)="([^"<]*)"/g;
/** Of a text, once its references are taken out: https://www.w3.org/TR/xml/#charsets and #syntax. */
const UNFIT = /&|[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;
const REFERENCE = /&(?:lt|gt|amp|quot|apos|#\d+|#x[0-9a-fA-F]+);/g;

/**
 * Reads as much of XML as a report may hold: elements, attributes and text.
 * @throws SyntaxError where it is not well formed
 */
function parse(xml: string): Element {
  const root: Element = { name: "", attributes: new Map(), children: [], text: "" };
  const open = [root];
  for (const [whole, close, name, attributes = "", empty, text, stray] of xml.matchAll(TOKEN)) {
    const top = open.at(-1) as Element;
    if (stray) throw new SyntaxError(`not well formed within ${top.name}`);
    if (UNFIT.test(whole.replace(REFERENCE, ""))) throw new SyntaxError(`no XML: ${JSON.stringify(whole)}`);
    if (text !== undefined) top.text += text;
    else if (name !== undefined && close) {
      if (open.pop()?.name !== name) throw new SyntaxError(`</${name}> closes ${top.name}`);
    } else if (name !== undefined) {
      const pairs = [...attributes.matchAll(ATTRIBUTE)].map(
        ([, key, value]) => [key, value] as [string, string],
      );
      if (new Set(pairs.map(([key]) => key)).size < pairs.length)
        throw new SyntaxError(`${name} has one twice`);
      const element: Element = { name, attributes: new Map(pairs), children: [], text: "" };
      top.children.push(element);
      if (!empty) open.push(element);
    }
  }
  const [only, more] = root.children;
  if (open.length > 1 || !only || more || root.text.trim()) throw new SyntaxError("not one whole element");
  return only;
}

interface Kind {
  readonly needs?: readonly string[];
  readonly attributes?: readonly string[];
  readonly children?: readonly string[];
  readonly text?: boolean;
}

/**
 * The parts of the XML Schema that Jenkins holds reports to which these use
 * (https://github.com/jenkinsci/xunit-plugin, junit-10.xsd); what else it has is not here, so that it would be found out.
 */
const KINDS: Readonly<Record<string, Kind>> = {
  testsuites: { attributes: ["name", "tests", "failures", "errors"], children: ["testsuite"] },
  testsuite: {
    needs: ["name", "tests", "failures", "errors"],
    attributes: ["skipped"],
    children: ["testcase"],
  },
  testcase: {
    needs: ["name"],
    attributes: ["classname"],
    children: ["skipped", "failure", "system-out"],
  },
  failure: { attributes: ["type", "message"], text: true },
  skipped: { attributes: ["message"], text: true },
  "system-out": { text: true },
};

/** What is wrong with a text as a JUnit report: by its schema, and with its counts. */
export function junitFaults(xml: string): string[] {
  try {
    const root = parse(xml);
    if (root.name !== "testsuites") return [`the root is ${root.name}`];
    return [...faultsOf(root), ...root.children.flatMap(countFaults)];
  } catch (error) {
    return [(error as Error).message];
  }
}

function faultsOf({ name, attributes, children, text }: Element): string[] {
  const kind = KINDS[name] ?? {};
  const { needs = [], attributes: may = [], children: inside = [] } = kind;
  const faults = [
    ...needs.filter((each) => !attributes.has(each)).map((each) => `${name} lacks ${each}`),
    ...[...attributes.keys()]
      .filter((each) => ![...needs, ...may].includes(each))
      .map((each) => `${name} has ${each}`),
    ...children.filter((each) => !inside.includes(each.name)).map((each) => `${each.name} in ${name}`),
    ...(kind.text || text.trim() === "" ? [] : [`text in ${name}`]),
  ];
  return [...faults, ...children.flatMap(faultsOf)];
}

function countFaults({ attributes, children }: Element): string[] {
  const having = (name: string) =>
    children.filter((each) => each.children.some((child) => child.name === name)).length;
  const counts = {
    tests: children.length,
    failures: having("failure"),
    skipped: having("skipped"),
    errors: 0,
  };
  return Object.entries(counts)
    .filter(([name, count]) => Number(attributes.get(name) ?? 0) !== count)
    .map(([name, count]) => `${name} should be ${count}`);
}
