const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * What a number under a credential's key is hashed by: the same for `1e4`, `10000` and `10000.0`, and for the string
 * `"10000"`. Undefined for a number of fewer than four digits, which is no credential.
 */
export function numberSecret(token: string): string | undefined {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = NUMBER.exec(token) ?? [];
  const all = whole + fraction;
  const digits = all.replace(/^0+/, "").replace(/0+$/, "");
  const power = Number(exponent) - fraction.length + (all.length - all.replace(/0+$/, "").length);
  if (digits === "") return undefined;
  if (power > 308 || power < 0)
    return digits.length < 4 && power < 0 ? undefined : `${sign}${digits}e${power}`;
  const integer = digits + "0".repeat(power);
  return integer.length < 4 ? undefined : sign + integer;
}
