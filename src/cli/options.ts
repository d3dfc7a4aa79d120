import type { Command } from "commander";

/** Of every command that reads the configuration. */
export const CONFIG_OPTION = [
  "--config <file>",
  "the configuration (default: mcp-vcr.config.* and its other places, in this folder or above)",
] as const;

/** The options that stand on the command line, without defaults. */
export function given<Options extends object>(command: Command, options: Options): Partial<Options> {
  const told = Object.entries(options).filter(([name]) => command.getOptionValueSource(name) === "cli");
  return Object.fromEntries(told) as Partial<Options>;
}
