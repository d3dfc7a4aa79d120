import type { JsonObject } from "../../protocol/message.ts";
import { faultsOf } from "../exact-order.ts";
import { isObject } from "../matcher.ts";
import type { Answering, Prompt, Resource, Scenario, Template, Tool } from "../model.ts";
import type { SchemaChecker } from "../schemas.ts";
import type { Asked } from "./asked.ts";
import { asToolResult, unknownContent } from "./speech.ts";

/** What a request is about, and what becomes of a reply to it. */
export interface Subject {
  readonly about: Answering;
  /** What `when` and `${args}` mean. */
  readonly args: JsonObject;
  /** Where they stand in the request's params, as a JSON pointer. */
  readonly pointer: string;
  /** Clients may keep the answer. */
  readonly cached: boolean;
  /** The result, made whole as the client's revision has it. */
  finish(result: JsonObject): JsonObject;
  /** What of a result breaks the promise that the server gives elsewhere; undefined where nothing does. */
  problem?(result: JsonObject, checker: SchemaChecker): string | undefined;
  /** The schema that a result can be made from. */
  readonly outputSchema?: Tool["outputSchema"];
  /** It can be answered with a task: the client asked for one, or leaves it to the server. */
  readonly task?: "asked" | "offered" | undefined;
  /** The result that says why it is not even tried. */
  readonly refused?: JsonObject | undefined;
}

export function toolSubject(tool: Tool, { params, client }: Asked): Subject {
  const { outputSchema } = tool;
  return {
    about: tool,
    args: isObject(params.arguments) ? params.arguments : {},
    pointer: "/arguments",
    cached: false,
    outputSchema,
    finish: (result) => asToolResult(result, client.revision),
    problem: (result, checker) => {
      const unknown = unknownContent(result, client.revision);
      if (unknown !== undefined) return `${client.revision.version} has no content of type ${unknown}`;
      if (!tool.validate || outputSchema === undefined || result.isError === true) return undefined;
      if (result.structuredContent === undefined) return "the result has no structuredContent";
      const faults = faultsOf(checker, outputSchema, result.structuredContent);
      return faults.length > 0 ? `its outputSchema refuses the result: ${faults.join("; ")}` : undefined;
    },
  };
}

/** Contents are of the URI that was asked for, and of the resource's type, where they say nothing else. */
export function resourceSubject(about: Resource | Template, uri: string, args: JsonObject): Subject {
  const { mimeType } = about;
  return {
    about,
    args,
    pointer: "/uri",
    cached: true,
    finish: ({ contents, ...rest }) => ({
      ...rest,
      ...(Array.isArray(contents)
        ? {
            contents: contents.map((item) => ({
              uri,
              ...(mimeType === undefined ? {} : { mimeType }),
              ...(isObject(item) ? item : {}),
            })),
          }
        : {}),
    }),
  };
}

export function promptSubject(prompt: Prompt, { params, client }: Asked): Subject {
  return {
    about: prompt,
    args: isObject(params.arguments) ? params.arguments : {},
    pointer: "/arguments",
    cached: false,
    finish: (result) => result,
    problem: (result) => {
      const unknown = unknownContent(result, client.revision);
      return unknown === undefined
        ? undefined
        : `${client.revision.version} has no content of type ${unknown}`;
    },
  };
}

export function methodSubject(about: Scenario["methods"][number], { params }: Asked): Subject {
  const { _meta: _, ...args } = params;
  return { about, args: args as JsonObject, pointer: "", cached: false, finish: (result) => result };
}
