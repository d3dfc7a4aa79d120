import type { Path } from "../protocol/conformity/shape.ts";
import { isObject } from "../protocol/conformity/shape.ts";
import { memberAt } from "../protocol/member.ts";
import type { JsonValue } from "../protocol/message.ts";
import type { Report } from "./finding.ts";

/** What is wrong with a value by a JSON Schema. */
export interface SchemaFault {
  /** Keys and indexes from the value. */
  readonly path: Path;
  readonly message: string;
}

/** Reads a JSON Schema. @throws Error where it cannot be used */
export type CompileSchema = (schema: JsonValue) => (value: JsonValue) => SchemaFault | undefined;

/** A call and its result, after both were said. */
export interface Call {
  readonly session: number;
  readonly name: string;
  readonly args: JsonValue | undefined;
  readonly result: JsonValue | undefined;
  /** Where the call and the answer stand. */
  readonly asked: Spot;
  readonly answered: Spot;
}

export interface Spot {
  readonly ordinal: number;
  /** Of the message in its entry. */
  readonly path: Path;
}

interface Tool {
  readonly input: Schema;
  readonly output: Schema | undefined;
}

type Schema = { readonly check: (value: JsonValue) => SchemaFault | undefined };

/**
 * Holds what tools were called with, and what they gave, against the schemas that the server listed. A call that the
 * server refused, and a result that says the tool failed, break nothing.
 */
export class ToolChecks {
  readonly #compile: CompileSchema;
  readonly #report: Report;
  /** By session and name; one that is listed again counts from then on. */
  readonly #tools = new Map<string, Tool>();
  /** Calls of tools that no list has named yet. */
  #early: Call[] = [];
  readonly #compiled = new Map<string, Schema>();

  constructor(compile: CompileSchema, report: Report) {
    this.#compile = compile;
    this.#report = report;
  }

  /** The result of a `tools/list`. */
  listed(session: number, result: JsonValue | undefined, spot: Spot): void {
    const tools = memberAt(result, "tools");
    if (!Array.isArray(tools)) return;
    for (const [index, tool] of tools.entries()) {
      const name = memberAt(tool, "name");
      if (typeof name !== "string") continue;
      const at = (member: string): Spot => ({
        ...spot,
        path: [...spot.path, "result", "tools", index, member],
      });
      const input = this.#schema(name, memberAt(tool, "inputSchema"), at("inputSchema"));
      const output = this.#schema(name, memberAt(tool, "outputSchema"), at("outputSchema"));
      if (input) this.#tools.set(`${session} ${name}`, { input, output });
    }
  }

  called(call: Call): void {
    const tool = this.#tools.get(`${call.session} ${call.name}`) ?? this.#listedElsewhere(call.name);
    if (tool) this.#check(tool, call);
    else this.#early.push(call);
  }

  /** Calls that came before any list are held against what was listed later. */
  finish(): void {
    for (const call of this.#early.splice(0)) {
      const tool = this.#tools.get(`${call.session} ${call.name}`) ?? this.#listedElsewhere(call.name);
      if (tool) this.#check(tool, call);
    }
  }

  #listedElsewhere(name: string): Tool | undefined {
    for (const [key, tool] of this.#tools) if (key.endsWith(` ${name}`)) return tool;
    return undefined;
  }

  #check({ input, output }: Tool, { name, args, result, asked, answered }: Call): void {
    if (memberAt(result, "isError") === true) return;
    const wrong = this.#held(input, args ?? {}, { name, spot: asked, what: "arguments" });
    if (wrong) {
      this.#report({
        rule: "arguments",
        ordinal: asked.ordinal,
        path: [...asked.path, "params", "arguments", ...wrong.path],
        message: `the server took arguments that the inputSchema of ${JSON.stringify(name)} rejects: ${sentence(wrong)}`,
        hint: "Mend the call, or the tool's schema, and record it again.",
      });
    }
    if (!output || !isComplete(result)) return;
    const structured = memberAt(result, "structuredContent");
    const fault =
      structured === undefined
        ? { path: [], message: "is missing" }
        : this.#held(output, structured, { name, spot: answered, what: "result" });
    if (!fault) return;
    this.#report({
      rule: "result",
      ordinal: answered.ordinal,
      path: [...answered.path, "result", "structuredContent", ...fault.path],
      message: `structuredContent breaks the outputSchema of ${JSON.stringify(name)}: ${sentence(fault)}`,
      hint: "Clients that validate results refuse it. Mend the tool, or its schema, and record it again.",
    });
  }

  /** What is wrong with a value; where its schema cannot tell that, it is the schema that is told of. */
  #held(schema: Schema, value: JsonValue, { name, spot, what }: Held): SchemaFault | undefined {
    try {
      return schema.check(value);
    } catch (error) {
      const message = `the ${what} of ${JSON.stringify(name)} cannot be held against its schema: ${reasonOf(error)}`;
      this.#report({ rule: "schema", ...spot, message });
      return undefined;
    }
  }

  #schema(name: string, schema: JsonValue | undefined, { ordinal, path }: Spot): Schema | undefined {
    if (!isObject(schema)) return undefined;
    const text = JSON.stringify(schema);
    const known = this.#compiled.get(text);
    if (known) return known;
    let made: Schema;
    try {
      made = { check: this.#compile(schema) };
    } catch (error) {
      const message = `the ${path.at(-1)} of ${JSON.stringify(name)}: ${reasonOf(error)}`;
      this.#report({ rule: "schema", ordinal, path, message });
      made = { check: () => undefined };
    }
    this.#compiled.set(text, made);
    return made;
  }
}

interface Held {
  readonly name: string;
  readonly spot: Spot;
  readonly what: "arguments" | "result";
}

function reasonOf(error: unknown): string {
  // The stack is full: of a schema that refers to itself, or of a value as deep as one that does.
  if (error instanceof RangeError) return "it goes deeper than can be followed";
  return error instanceof Error ? error.message : String(error);
}

/** No task that was begun, no question back. */
function isComplete(result: JsonValue | undefined): boolean {
  const type = memberAt(result, "resultType");
  return (type === undefined || type === "complete") && memberAt(result, "task") === undefined;
}

function sentence({ path, message }: SchemaFault): string {
  return path.length === 0 ? message : `/${path.join("/")} ${message}`;
}
