import type { JsonValue } from "../protocol/message.ts";
import type { Duration } from "./duration.ts";

/** Which requests a fault strikes: docs/faults.md. */
export interface FaultOn {
  readonly method?: string;
  readonly name?: string;
  readonly nth?: number;
  readonly every?: number;
  readonly probability?: number;
  readonly connect?: true;
  readonly afterEvents?: number;
  readonly across?: "client" | "all";
}

/** What happens, one or several: docs/faults.md. */
export interface FaultDo {
  readonly delay?: Duration;
  readonly jitter?: Duration;
  readonly hang?: true;
  readonly slow?: { readonly bytes?: number; readonly every?: Duration };
  readonly answerAfterCancel?: true;
  readonly error?: { readonly code?: number; readonly message?: string; readonly data?: JsonValue };
  readonly toolError?: string;
  readonly malformed?: true;
  readonly truncate?: true | number;
  readonly wrongId?: string | number;
  readonly duplicate?: true;
  readonly oversized?: number | string;
  readonly close?: "before" | "mid-stream" | "after";
  readonly crash?: number;
  readonly status?: number | { readonly code: number; readonly [name: string]: JsonValue };
  readonly sessionLost?: true;
  readonly cut?: true | { readonly retry?: Duration };
  readonly noise?: string | readonly string[];
}

export interface FaultDocument {
  /** Every request when left out. */
  readonly on?: FaultOn;
  readonly do: FaultDo;
}

/** What a faults file holds. */
export interface FaultsDocument {
  /** What chance goes by; 1 when left out. */
  readonly seed?: number;
  readonly faults: readonly FaultDocument[];
}
