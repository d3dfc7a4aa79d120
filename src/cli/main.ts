import { main } from "./program.ts";

// Whoever reads our help may stop early (`| head`), which is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

process.exitCode = await main(process.argv);
