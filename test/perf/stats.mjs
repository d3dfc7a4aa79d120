/** The value below which a share of the values lies, between the two nearest of them. */
export function percentile(values, share) {
  if (values.length === 0) throw new Error("no values");
  const sorted = [...values].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const low = Math.floor(place);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low] + (sorted[high] - sorted[low]) * (place - low);
}

export function median(values) {
  return percentile(values, 0.5);
}

/** Ratios of neighbours in time: run n of one side to run n of the other. */
export function ratios(subject, baseline) {
  if (subject.length !== baseline.length) throw new Error("runs do not pair up");
  const each = subject.map((value, index) => value / baseline[index]);
  return { median: median(each), low: Math.min(...each), high: Math.max(...each) };
}

/** Runs the sides in turn, A B A B …, so that a slow spell of the machine strikes both. Answers their results by side. */
export async function interleave(repetitions, sides) {
  const results = Object.fromEntries(Object.keys(sides).map((name) => [name, []]));
  for (let n = 0; n < repetitions; n++) {
    for (const [name, run] of Object.entries(sides)) results[name].push(await run(n));
  }
  return results;
}
