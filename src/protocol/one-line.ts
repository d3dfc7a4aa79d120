const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** JSON text without line breaks. They can only stand between tokens, as other white space does. */
export function oneLine(json: Uint8Array): Uint8Array {
  if (!json.includes(NEWLINE) && !json.includes(CARRIAGE_RETURN)) return json;
  const out = new Uint8Array(json.length);
  let length = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const c = json[i] as number;
    if (inString && c === BACKSLASH) out[length++] = json[i++] as number;
    else if (c === QUOTE) inString = !inString;
    if (inString || c > 0x20) out[length++] = json[i] as number;
  }
  return out.subarray(0, length);
}
