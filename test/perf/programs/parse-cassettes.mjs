// Reads cassettes with the library, every entry decoded and every message parsed, and keeps them all: what a comparison
// has to do at the least.
import { readFileSync } from "node:fs";

const [library, ...files] = process.argv.slice(2);
const { codecFor } = await import(library);

const kept = [];
for (const file of files) {
  const decoder = (await codecFor(file)).decoder(file);
  const located = [...decoder.push(readFileSync(file)), ...decoder.end().entries];
  kept.push(located.map(({ entry }) => entry.body && JSON.parse(Buffer.from(entry.body.bytes).toString())));
}

console.log(JSON.stringify({ entries: kept.map((each) => each.length) }));
