import { VcrError } from "../errors.ts";

export interface Address {
  readonly host: string;
  /** 0 lets the system choose. */
  readonly port: number;
}

/**
 * Reads `HOST:PORT`, `PORT` or `[IPV6]:PORT`.
 * @throws VcrError `usage`
 */
export function parseAddress(text: string): Address {
  const match = /^(?:(?:\[([0-9a-f:.]+)\]|([^:\s[\]]+)):)?(\d{1,5})$/i.exec(text);
  const port = Number(match?.[3]);
  if (!match || port > 65_535) {
    throw new VcrError("usage", `--listen ${text}: not an address to listen at`, {
      hint: "Give HOST:PORT, such as --listen 127.0.0.1:8080; port 0 lets the system choose one.",
    });
  }
  return { host: match[1] ?? match[2] ?? "127.0.0.1", port };
}
