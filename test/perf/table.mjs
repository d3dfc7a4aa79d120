/**
 * One line of the result. `ratio` and `aim` say how the two sides compare; `atMost` or `atLeast` which way is good.
 * @typedef {{ name: string, subject: string, baseline?: string, measured: string, aim?: string, met?: boolean }} Line
 */

const COLUMNS = [
  ["", "name"],
  ["subject", "subject"],
  ["baseline", "baseline"],
  ["measured", "measured"],
  ["aim", "aim"],
  ["", "verdict"],
];

/** A line that compares two sides by their ratio, against an aim. */
export function ratioLine({ name, subject, baseline, ratio, aim, higherIsBetter = false }) {
  const met = aim === undefined ? undefined : higherIsBetter ? ratio.median >= aim : ratio.median <= aim;
  const measured = `${ratio.median.toFixed(2)} x  (${ratio.low.toFixed(2)}-${ratio.high.toFixed(2)})`;
  return { name, subject, baseline, measured, aim: aim && `${higherIsBetter ? ">=" : "<="} ${aim} x`, met };
}

/** A line that holds one number against an aim. */
export function valueLine({ name, subject, baseline, value, unit, aim }) {
  const met = aim === undefined ? undefined : value <= aim;
  return {
    name,
    subject,
    baseline,
    measured: `${number(value)} ${unit}`,
    aim: aim && `<= ${aim} ${unit}`,
    met,
  };
}

export function number(value) {
  const digits = Math.abs(value) < 10 ? 2 : Math.abs(value) < 100 ? 1 : 0;
  return value.toFixed(digits);
}

export function formatTable(lines) {
  const rows = [
    COLUMNS.map(([title]) => title),
    ...lines.map((line) => {
      const verdict = line.met === undefined ? "" : line.met ? "met" : "MISSED";
      return COLUMNS.map(([, key]) => (key === "verdict" ? verdict : (line[key] ?? "")));
    }),
  ];
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
