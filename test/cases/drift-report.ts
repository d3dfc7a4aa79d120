import type { Change } from "../../src/contract/change.ts";
import { type Drift, driftFrom } from "../../src/drift/drift.ts";

const base = { layer: "behaviour", pointer: "" } as const;
const OSLO = 'tools/call forecast {"city":"Oslo"}';
const HOSTILE = 'tools/call <b>|`x`</b> {"a":"@everyone \u001B[31m\u202e"}';

/** One change of every kind that reports show in their own way. */
export const CHANGES: readonly Change[] = [
  {
    ...base,
    rule: "input-schema-required-added",
    class: "breaking",
    layer: "contract",
    subject: "tool forecast",
    pointer: "/tools/forecast/inputSchema/required",
    message: "A call now needs the argument day.",
    before: ["city"],
    after: ["city", "day"],
    witness: {
      value: { city: "Oslo" },
      acceptedBy: "old",
      reason: "must have required property 'day'",
      from: "recorded",
    },
  },
  {
    ...base,
    rule: "result-became-error",
    class: "breaking",
    subject: OSLO,
    message: "It was answered with a result, and is refused with error -32603 (“upstream is down”).",
    before: { content: [{ type: "text", text: "3 °C, rain" }] },
    after: { code: -32603, message: "upstream is down" },
  },
  {
    ...base,
    rule: "answer-text-changed",
    class: "risky",
    subject: `${OSLO} #2`,
    pointer: "/content/0/text",
    message: "/content/0/text reads otherwise.",
    before: `Oslo, Monday\n${"calm\n".repeat(9)}3 °C, rain\nwind 7 m/s`,
    after: `Oslo, Monday\n${"calm\n".repeat(9)}4 °C, rain\nwind 7 m/s\nbring a coat`,
  },
  {
    ...base,
    rule: "answer-value-changed",
    class: "risky",
    subject: `${OSLO} #2`,
    pointer: "/structuredContent/summary",
    message: "/structuredContent/summary has another value.",
    before: `${"Light wind from the north-west. ".repeat(5)}Rain.`,
    after: `${"Light wind from the north-west. ".repeat(5)}Snow.`,
  },
  {
    ...base,
    rule: "answer-member-added",
    class: "compatible",
    subject: HOSTILE,
    pointer: "/structuredContent/x",
    message: "/structuredContent/x is new. <script>alert(1)</script> | ``` *bold* @someone",
    after: "```\nfence & <tag>\u0007",
  },
  {
    ...base,
    rule: "output-enum-added",
    class: "risky",
    layer: "contract",
    subject: "tool forecast",
    pointer: "/tools/forecast/outputSchema/properties/sky",
    message: "/sky may hold values that were not named before.",
    after: ["late"],
  },
  ...["Bergen", "Tromsø"].map(
    (city): Change => ({
      ...base,
      rule: "exchange-added",
      class: "info",
      subject: `tools/call forecast {"city":"${city}"}`,
      message: "The old recording does not ask this.",
    }),
  ),
];

/** Drifts of which every format has a golden file. */
export const DRIFTS: Readonly<Record<string, Drift>> = {
  changes: driftFrom({
    old: "cassettes/weather.yaml",
    new: "new/weather.yaml",
    comparisons: [
      {
        old: "cassettes/weather.yaml",
        new: "new/weather.yaml",
        changes: CHANGES,
        compared: { exchanges: 1234, tools: 1 },
      },
    ],
    decisions: {
      accept: [
        { rule: "output-enum-added", reason: "every client\nknows *late* | @all", expires: "2027-01-31" },
        { rule: "tool-removed", reason: "gone for good" },
      ],
      today: "2026-11-30",
    },
  }),
  cassettes: driftFrom({
    old: "origin/main",
    new: "the working tree",
    comparisons: [
      {
        old: "cassettes/a.yaml",
        new: "cassettes/a.yaml",
        changes: [],
        compared: { cassettes: 1, exchanges: 3 },
      },
      {
        old: "cassettes/b.yaml",
        new: "cassettes/c d.yaml",
        changes: CHANGES.slice(2, 3),
        compared: { cassettes: 1, exchanges: 2 },
      },
      {
        old: null,
        new: "cassettes/new.yaml",
        changes: [
          {
            ...base,
            rule: "cassette-added",
            class: "info",
            layer: "session",
            subject: "cassettes/new.yaml",
            message: "The cassette is new.",
          },
        ],
        compared: { cassettes: 0 },
      },
    ],
  }),
  same: driftFrom({
    old: "old.yaml",
    new: "new.yaml",
    comparisons: [{ old: "old.yaml", new: "new.yaml", changes: [], compared: { exchanges: 7 } }],
  }),
  withheld: driftFrom({
    old: "old.yaml",
    new: "node server.js",
    comparisons: [{ old: "old.yaml", new: "node server.js", changes: [], compared: { exchanges: 7 } }],
    withheld: [
      { subject: "tools/call <writes> & more", reason: "not annotated readOnlyHint: true, and not allowed" },
      { subject: "tools/call sends", reason: "not annotated readOnlyHint: true, and not allowed" },
      { subject: "tools/call hung", reason: "recorded without an answer" },
      ...Array.from({ length: 10 }, (_, index) => ({
        subject: `resources/read u:${index}`,
        reason: "the server ended with exit code 7",
      })),
    ],
    notes: ["the server answered with HTTP status 401: give it credentials with --header"],
  }),
  nothing: driftFrom({
    old: "old.yaml",
    new: "new.yaml",
    comparisons: [{ old: "old.yaml", new: "new.yaml", changes: [], compared: { exchanges: 0 } }],
  }),
};
