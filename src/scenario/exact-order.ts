import { canonicalNumber } from "../protocol/json-exact.ts";
import type { JsonValue } from "../protocol/message.ts";
import type { SchemaChecker } from "./schemas.ts";
import { harmedIn, type SpeltNumber, withoutSpelt } from "./spelt-number.ts";

/** Whether a schema accepts a value cannot be told, since JavaScript cannot hold a number in it. */
export class Undecided extends Error {
  readonly token: string;

  constructor(token: string) {
    super(`a schema cannot be held against ${token}, which JavaScript has no number for`);
    this.token = token;
  }
}

/** Keywords that look at a number's very digits, so that its neighbours tell nothing. */
const DIGITS = ["multipleOf", "uniqueItems"];

/**
 * As the checker's own, of a value with numbers as they are spelt. What JavaScript cannot hold lies between two numbers
 * that it can, and is accepted, or refused, where both are.
 * @throws Undecided where they differ
 */
export function faultsOf(checker: SchemaChecker, schema: JsonValue, value: JsonValue): readonly string[] {
  const harmed = harmedIn(value);
  if (!harmed)
    return checker.faults(
      schema,
      withoutSpelt(value, ({ number }) => number),
    );
  const beside = (above: boolean) =>
    checker.faults(
      schema,
      withoutSpelt(value, (number) => neighbour(number, above)),
    );
  const [below, above] = [beside(false), beside(true)];
  const text = JSON.stringify(schema);
  const differ = below.length > 0 !== above.length > 0;
  if (differ || isFraction(harmed) || DIGITS.some((keyword) => text.includes(`"${keyword}"`)))
    throw new Undecided(harmed.token);
  return below;
}

/** It is no whole number, and those beside it are. */
function isFraction({ token, number }: SpeltNumber): boolean {
  return Number.isInteger(number) && !/^-?\d+(?:e\+\d+)?$/.test(withoutPoint(canonicalNumber(token)));
}

/** `1.5e+30` is a whole number, whose exponent is larger than it has decimals. */
function withoutPoint(canonical: string): string {
  const [, whole, fraction, exponent] = /^(-?\d+)\.(\d+)e\+(\d+)$/.exec(canonical) ?? [];
  return whole !== undefined && Number(exponent) >= (fraction ?? "").length
    ? `${whole}e+${exponent}`
    : canonical;
}

function neighbour(spelt: SpeltNumber, above: boolean): number {
  const { number, isHarmed, token } = spelt;
  if (!isHarmed) return number;
  if (!Number.isFinite(number)) return above === number > 0 ? number : Math.sign(number) * Number.MAX_VALUE;
  const isBelow = compareNumbers(String(number), token) < 0;
  return isBelow === above ? next(number, above) : number;
}

/** The nearest double above, or below. */
function next(number: number, above: boolean): number {
  if (number === 0) return above ? Number.MIN_VALUE : -Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  view.setBigInt64(0, view.getBigInt64(0) + (above === number > 0 ? 1n : -1n));
  return view.getFloat64(0);
}

/** Less than 0 where the first is the smaller one; of number tokens of any length. */
export function compareNumbers(a: string, b: string): number {
  const [one, other] = [partsOf(a), partsOf(b)];
  if (one.sign !== other.sign) return one.sign - other.sign;
  if (one.point !== other.point) return one.point < other.point ? -one.sign : one.sign;
  if (one.digits === other.digits) return 0;
  return one.digits < other.digits ? -one.sign : one.sign;
}

/** The number sign times 0.DIGITS times ten to the power of point. */
function partsOf(token: string): { readonly sign: number; readonly digits: string; readonly point: bigint } {
  const canonical = canonicalNumber(token);
  if (canonical === "0") return { sign: 0, digits: "", point: 0n };
  const [mantissa = "", exponent = "0"] = canonical.replace("-", "").split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const all = `${whole}${fraction}`.replace(/^0+/, "");
  const zeros = whole.length + fraction.length - all.length;
  return {
    sign: canonical.startsWith("-") ? -1 : 1,
    digits: all.replace(/0+$/, ""),
    point: BigInt(exponent.replace("+", "")) + BigInt(whole.length - zeros),
  };
}
