import { expect, test } from "vitest";
import { type MatchRules, Rules } from "../../../src/replay/rules.ts";
import { tellIdleRules } from "../../../src/run/idle-rules.ts";
import { client, request, result, server, tape } from "../../cases/tape.ts";

function toldOf(match: MatchRules): readonly string[] {
  const { player } = tape(
    [
      client(request(1, "tools/call", { name: "forecast", arguments: { city: "Oslo", days: [{ at: 1 }] } })),
      server(result(1, {})),
    ],
    { rules: new Rules(match, "a.yaml") },
  );
  const told: string[] = [];
  tellIdleRules(player, (notice) => told.push(notice));
  return told;
}

test.each<[string, MatchRules, string]>([
  [
    "a place without /arguments",
    { "tools/call forecast": { ignore: ["/city"] } },
    'match["tools/call forecast"]: nothing that weather.yaml holds is at /city; did you mean "/arguments/city"?',
  ],
  [
    "one of an operator, with a star",
    { "tools/call": { match: { "/days/*/at": "any" } } },
    'match["tools/call"]: nothing that weather.yaml holds is at /days/*/at; did you mean "/arguments/days/0/at"?',
  ],
  [
    "a name without its method",
    { forecast: { ignore: ["/arguments/city"] } },
    'match["forecast"] is for nothing that weather.yaml holds; did you mean "tools/call forecast"?',
  ],
])("%s is told with what was meant", (_what, match, notice) => {
  expect(toldOf(match)).toEqual([`a.yaml: ${notice}`]);
});

test("a place that is there, or may come, is not told", () => {
  expect(toldOf({ "tools/call": { ignore: ["/arguments/days/*/at", "/arguments/requestedAt"] } })).toEqual(
    [],
  );
  expect(toldOf({ "tools/call forecast": { ignore: ["/arguments"] } })).toEqual([]);
});
