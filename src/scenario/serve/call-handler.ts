import { VcrError } from "../../errors.ts";
import type { JsonObject } from "../../protocol/message.ts";
import type { Handler, Turn } from "../model.ts";
import { harmedIn, withoutSpelt } from "../spelt-number.ts";
import type { Scope } from "../template.ts";
import type { Asked } from "./asked.ts";

interface Call {
  readonly scope: Scope;
  readonly asked: Asked;
}

/** Calls a program; what it returns is a turn, or a sentence that says why it is none. */
export function called(handler: Handler, { scope, asked }: Call, done: (turn: Turn | string) => void): void {
  const { revision, capabilities } = asked.client;
  const harmed = harmedIn(scope as JsonObject);
  if (harmed) {
    return done(
      `The handler of ${asked.label} cannot be told of ${harmed.token}: JavaScript has no such number.`,
    );
  }
  const told = withoutSpelt(scope as JsonObject, ({ number }) => number) as JsonObject;
  const request = { ...told, version: revision.version, era: revision.era, capabilities };
  const failed = (error: unknown) => `The handler of ${asked.label} failed: ${reasonOf(error)}`;
  const read = (answer: unknown) => {
    try {
      return handler.read(answer);
    } catch (error) {
      return failed(error);
    }
  };
  let answer: unknown;
  try {
    answer = handler.call(request);
  } catch (error) {
    return done(failed(error));
  }
  if (!isPromise(answer)) return done(read(answer));
  answer.then(
    (later) => done(read(later)),
    (error) => done(failed(error)),
  );
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | undefined)?.then === "function";
}

function reasonOf(error: unknown): string {
  if (error instanceof VcrError)
    return error.hint === undefined ? error.message : `${error.message} ${error.hint}`;
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
