/** Whether the sought bytes stand at a place. */
export function isAt(bytes: Uint8Array, start: number, sought: Uint8Array): boolean {
  for (let i = 0; i < sought.length; i++) if (bytes[start + i] !== sought[i]) return false;
  return true;
}
