import { exitAsTold } from "./pending.ts";
import { main } from "./program.ts";

// Whoever reads our help may stop early (`| head`), which is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
});

// Not awaited here: the command is built as CommonJS, which starts faster and has no `await` at its top.
void exitAsTold(main(process.argv), process);
