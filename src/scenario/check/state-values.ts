import type { JsonObject, JsonValue } from "../../protocol/message.ts";
import { eachEffect, everyTurn, hasHandler } from "../effects.ts";
import type { Scenario } from "../model.ts";

export interface Settings {
  /** Everything that a member of the state can be. */
  readonly values: readonly JsonValue[];
  /** It may be anything: a template or a program sets it. */
  readonly open: boolean;
  readonly names: readonly string[];
}

/** What a member of the state is set to, anywhere. */
export function settings(name: string | undefined, scenario: Scenario): Settings {
  const all = [scenario.state, ...setIn(scenario)];
  const values = all.flatMap((state) => {
    const value = name !== undefined && Object.hasOwn(state, name) ? state[name] : undefined;
    return value === undefined ? [] : [value];
  });
  return {
    values,
    open: values.some(isOpen) || hasHandler(scenario),
    names: [...new Set(all.flatMap((state) => Object.keys(state)))],
  };
}

/** Members that the state can ever have; undefined where they may have any name. */
export function stateNames(scenario: Scenario): readonly string[] | undefined {
  const { names, open } = settings(undefined, scenario);
  return open || names.some(isOpen) ? undefined : names;
}

function isOpen(value: JsonValue): boolean {
  return JSON.stringify(value).includes("${");
}

function setIn(scenario: Scenario): readonly JsonObject[] {
  const effects = [...eachEffect(scenario)].flatMap((effect) =>
    effect.kind === "set" ? [effect.state] : [],
  );
  return [...effects, ...[...everyTurn(scenario)].flatMap(({ turn }) => (turn.set ? [turn.set] : []))];
}
