import { SERVER_BEHIND_SETTINGS, settle } from "../config/settings.ts";
import { VcrError } from "../errors.ts";
import { type Policy, policyOf, type ServeMode } from "../replay/modes.ts";

/** What a mode comes from. */
export interface Wish {
  readonly mode: ServeMode | undefined;
  /** A real server is named. */
  readonly hasServer: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Settled {
  readonly policy: Policy;
  /** Why nothing is recorded, where something else than the test says so. */
  readonly because: string | undefined;
}

/**
 * The environment over the test, and where neither says anything, `once` on a desk and `replay` in CI. Without a server
 * nothing can be recorded: then the environment means the other tests.
 * @throws VcrError `usage`
 */
export function settleMode({ mode: own, hasServer, env }: Wish): Settled {
  const told = settle(SERVER_BEHIND_SETTINGS, { flags: {}, environment: env, file: undefined }).mode;
  if (own === "append" && !hasServer) {
    throw new VcrError("usage", 'mode: "append" asks the real server, and none was named', {
      hint: 'Name it: useCassette("weather", { mode: "append", server: ["node", "weather.js"] }).',
    });
  }
  const mode = told ?? own ?? (isCI(env) ? "replay" : "once");
  const possible = mode === "append" && !hasServer ? "replay" : mode;
  return { policy: policyOf({ mode: possible, hasServer }), because: reason({ told, own, env }) };
}

function reason({
  told,
  own,
  env,
}: Omit<Wish, "mode" | "hasServer"> & { told?: ServeMode | undefined; own?: ServeMode | undefined }) {
  if (told === "replay") return "MCP_VCR_MODE is replay";
  if (told === undefined && own === undefined && isCI(env)) return "CI is set";
  return undefined;
}

/** As CI systems set it, and people unset it. */
function isCI({ CI = "" }: Wish["env"]): boolean {
  return !["", "0", "false"].includes(CI);
}
