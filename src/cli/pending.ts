import { EXIT } from "./exit-codes.ts";

/**
 * Sets the exit code once a command has one. A process ends by itself when it waits for nothing that Node knows of; while
 * the command's own result is pending, that must not pass for success.
 */
export async function exitAsTold(
  command: Promise<number>,
  target: { exitCode?: number | string | null | undefined },
): Promise<void> {
  target.exitCode = EXIT.findings;
  target.exitCode = await command;
}
