import * as zlib from "node:zlib";
import { rowOf } from "../protocol/member.ts";

/** Longest body that is decoded, in bytes: what claims more is kept as it was sent. */
const MOST_DECODED = 256 * 1024 * 1024;
const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;

interface Coding {
  whole(bytes: Uint8Array): Uint8Array;
  /** `first` is the stream's first byte. */
  stream(first: number): DecodingStream;
}

type DecodingStream = NodeJS.ReadWriteStream & { destroy(): void };

const LIMIT = { maxOutputLength: MOST_DECODED };
const FLUSH = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH };

const gzip: Coding = {
  whole: (bytes) => zlib.gunzipSync(bytes, LIMIT),
  stream: () => zlib.createGunzip(FLUSH),
};

/** The standard means zlib's format; some servers send the bare one. */
const deflate: Coding = {
  whole: (bytes) => (isZlib(bytes[0]) ? zlib.inflateSync(bytes, LIMIT) : zlib.inflateRawSync(bytes, LIMIT)),
  stream: (first) => (isZlib(first) ? zlib.createInflate(FLUSH) : zlib.createInflateRaw(FLUSH)),
};

const brotli: Coding = {
  whole: (bytes) => zlib.brotliDecompressSync(bytes, LIMIT),
  stream: () =>
    zlib.createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH }),
};

/** Node has zstd from 22.15 on. */
interface WithZstd {
  zstdDecompressSync?(bytes: Uint8Array, options: typeof LIMIT): Uint8Array;
  createZstdDecompress?(): DecodingStream;
}

function zstd(): Coding | undefined {
  const { zstdDecompressSync, createZstdDecompress } = zlib as WithZstd;
  if (!zstdDecompressSync || !createZstdDecompress) return undefined;
  return {
    whole: (bytes) => zstdDecompressSync(bytes, LIMIT),
    stream: () => createZstdDecompress(),
  };
}

/** Content codings by name (https://www.rfc-editor.org/rfc/rfc9110#section-8.4.1); undefined: not known here. */
const CODINGS: Readonly<Record<string, Coding | undefined>> = {
  gzip,
  "x-gzip": gzip,
  deflate,
  br: brotli,
  zstd: zstd(),
};

/** The low half of a zlib stream's first byte names its method, which is always 8 (RFC 1950, 2.2). */
function isZlib(first: number | undefined): boolean {
  return first !== undefined && (first & 0x0f) === 8;
}

/** The codings of a Content-Encoding header, in the order they were applied; empty for none. */
export function codingsOf(contentEncoding: string | undefined): string[] {
  const names = (contentEncoding ?? "").toLowerCase().split(",");
  return names.map((name) => name.trim()).filter((name) => name !== "" && name !== "identity");
}

/** The body before its codings were applied, or undefined where that cannot be told. */
export function decodeBody(bytes: Uint8Array, codings: readonly string[]): Uint8Array | undefined {
  let decoded: Uint8Array = bytes;
  if (bytes.length === 0) return bytes;
  for (const name of codings.toReversed()) {
    const coding = rowOf(CODINGS, name);
    if (!coding) return undefined;
    try {
      decoded = coding.whole(decoded);
    } catch {
      return undefined;
    }
  }
  return decoded;
}

/** Decodes a stream as it comes. */
export class StreamDecoder {
  readonly #coding: Coding;
  readonly #onBytes: (bytes: Uint8Array) => void;
  #stream: DecodingStream | undefined;
  #fault: Error | undefined;
  #wake: (() => void) | undefined;

  private constructor(coding: Coding, onBytes: (bytes: Uint8Array) => void) {
    this.#coding = coding;
    this.#onBytes = onBytes;
  }

  /** Undefined for codings, or several at once, that are not known here. */
  static for(codings: readonly string[], onBytes: (bytes: Uint8Array) => void): StreamDecoder | undefined {
    const [name = "", ...more] = codings;
    const coding = more.length > 0 ? undefined : rowOf(CODINGS, name);
    return coding && new StreamDecoder(coding, onBytes);
  }

  /**
   * Resolves when all that the chunk decodes to was delivered.
   * @throws the decoder's error for a chunk that does not belong to the coding.
   */
  async push(chunk: Uint8Array): Promise<void> {
    if (chunk.length === 0) return;
    this.#stream ??= this.#open(chunk[0] as number);
    const stream = this.#stream;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      stream.write(chunk, () => setImmediate(resolve));
    });
    if (this.#fault) throw this.#fault;
  }

  /** Frees what the decoder holds. */
  end(): void {
    this.#stream?.destroy();
  }

  #open(first: number): DecodingStream {
    const stream = this.#coding.stream(first);
    stream.on("data", this.#onBytes);
    stream.on("error", (error: Error) => {
      this.#fault = error;
      this.#wake?.();
    });
    return stream;
  }
}
