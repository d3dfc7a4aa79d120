import type { Source } from "../exchange/entry.ts";

/** Programs that run the server rather than being it. */
const RUNNERS =
  /^(node|nodejs|npx|npm|pnpm|pnpx|yarn|bun|bunx|deno|tsx|python[\d.]*|py|uv|uvx|pipx|docker|podman|sh|bash|env|exec|run|dlx|x|-.*|.*=.*)$/;

/** Where a recording goes when no file is named: `cassettes/` and what the server's command or URL is called. */
export function defaultCassette(source: Source): string {
  const name = source.transport === "stdio" ? nameOfCommand(source.command) : nameOfUrl(source.url);
  return `cassettes/${name}.yaml`;
}

function nameOfCommand(command: readonly string[]): string {
  const words = command.map((word) => word.split(/[/\\]/).pop() ?? word);
  const word = words.find((candidate) => candidate !== "" && !RUNNERS.test(candidate)) ?? words[0] ?? "";
  return slug(word.replace(/@[\w.-]+$/, "").replace(/\.(m|c)?[jt]sx?$|\.pyz?$|\.exe$|\.sh$/, ""));
}

function nameOfUrl(text: string): string {
  const { hostname, pathname } = new URL(text);
  return slug(`${hostname}${pathname.replace(/\/(mcp|sse)?\/?$/, "")}`);
}

function slug(text: string): string {
  return text.replace(/[^\w.]+/g, "-").replace(/^[-.]+|[-.]+$/g, "") || "session";
}
