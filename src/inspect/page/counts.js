import { button, byId, duration, element } from "./elements.js";
import { session } from "./session.js";

const time = (pick) => (row) => (row.ms ? duration(row.ms[pick]) : "");

const TIMES = [
  ["min", time("min")],
  ["median", time("median")],
  ["max", time("max")],
];

/** Draws the tables of methods and tools. @param {{ onMethod: (method: string) => void, onTool: (tool: string) => void }} told */
export function drawCounts({ onMethod, onTool }) {
  const methods = [
    ["method", ({ method }) => button(method, () => onMethod(method))],
    ["from", ({ from }) => from],
    ["times", ({ times }) => String(times)],
    ["answered", ({ answered }) => String(answered)],
    ["errors", ({ errors }) => String(errors)],
    ...TIMES,
  ];
  const tools = [
    ["tool", ({ tool }) => button(tool, () => onTool(tool))],
    ["calls", ({ calls }) => String(calls)],
    ["errors", ({ errors }) => String(errors)],
    ["failures", ({ failures }) => String(failures)],
    ...TIMES,
  ];
  const tables = byId("counts").querySelector(".tables");
  for (const [columns, rows] of [
    [methods, session.methods],
    [tools, session.tools],
  ]) {
    if (rows.length > 0) tables.append(tableOf(columns, rows));
  }
}

function tableOf(columns, rows) {
  const head = element("tr", "", ...columns.map(([title]) => element("th", "", title)));
  const body = rows.map((row) => element("tr", "", ...columns.map(([, of]) => element("td", "", of(row)))));
  return element("table", "", element("thead", "", head), element("tbody", "", ...body));
}
