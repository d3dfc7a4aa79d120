/** Where a text stops to be JSON, and what could stand there. */
export interface JsonFault {
  /** In UTF-16 units. */
  readonly offset: number;
  readonly expected: string;
}

type State = "value" | "value or ]" | "key" | "key or }" | ":" | ", or }" | ", or ]" | "end";

const EXPECTED: Readonly<Record<State, string>> = {
  value: "a value",
  "value or ]": "a value or ]",
  key: "a key in double quotes",
  "key or }": "a key in double quotes or }",
  ":": ":",
  ", or }": ", or }",
  ", or ]": ", or ]",
  end: "nothing more",
};

const SPACE = /[ \t\r\n]*/y;
const SCALAR =
  /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;

/**
 * The first fault of a text as JSON (RFC 8259); undefined for valid JSON. JSON.parse tells the place of some faults
 * only, and in words that differ from Node to Node.
 */
export function jsonFault(text: string): JsonFault | undefined {
  const open: ("{" | "[")[] = [];
  let state: State = "value";
  let at = 0;
  const after = (): State => {
    const container = open.at(-1);
    return container === undefined ? "end" : container === "{" ? ", or }" : ", or ]";
  };
  for (;;) {
    at += match(SPACE, text, at).length;
    const char = text[at];
    if (char === undefined) return state === "end" ? undefined : { offset: at, expected: EXPECTED[state] };
    const closes = state.endsWith(`or ${char}`) && (char === "}" || char === "]");
    if (closes) {
      open.pop();
      state = after();
      at++;
    } else if (state === ":" && char === ":") {
      state = "value";
      at++;
    } else if (state.startsWith(",") && char === ",") {
      state = state === ", or }" ? "key" : "value";
      at++;
    } else if (state.startsWith("value") && (char === "{" || char === "[")) {
      open.push(char);
      state = char === "{" ? "key or }" : "value or ]";
      at++;
    } else {
      const scalar = match(SCALAR, text, at);
      const isKey: boolean = state.startsWith("key") && scalar.startsWith('"');
      if (scalar === "" || !(isKey || state.startsWith("value")))
        return { offset: at, expected: EXPECTED[state] };
      state = isKey ? ":" : after();
      at += scalar.length;
    }
  }
}

function match(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}
