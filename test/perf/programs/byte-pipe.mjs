// The least a program between client and server can do over stdio. Usage: node byte-pipe.mjs [anything] -- COMMAND…
import { spawn } from "node:child_process";

const [command, ...args] = process.argv.slice(process.argv.indexOf("--", 2) + 1 || process.argv.length);
if (command === undefined) throw new Error("usage: node byte-pipe.mjs -- COMMAND…");
const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
process.stdin.pipe(child.stdin);
child.stdout.pipe(process.stdout);
child.on("close", (code) => {
  process.exitCode = code ?? 1;
});
