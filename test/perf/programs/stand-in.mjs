// Stands in for the built command with the baselines themselves, so that the benchmark can be tried without it.
const url = process.argv.includes("--url");
const PROGRAMS = { record: url ? "bare-http-proxy" : "byte-pipe", serve: "sdk-mock" };
await import(`./${PROGRAMS[process.argv[2]]}.mjs`);
