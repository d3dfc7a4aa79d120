const CHUNK = 0x6000; // a multiple of 3, and few enough arguments for one call

/** Base64 of RFC 4648 section 4, with padding, on one line. */
export function toBase64(bytes: Uint8Array): string {
  let out = "";
  for (let at = 0; at < bytes.length; at += CHUNK) {
    out += btoa(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  }
  return out;
}

/** Undefined for anything that `toBase64` would not have written, so that nothing is dropped unseen. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  const binary = atob(text);
  if (btoa(binary) !== text) return undefined; // bits set that no byte holds
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}
