/**
 * What the doors take of `node:timers`, for a browser: in its place by the build. Taken when this is loaded, out of reach
 * of a test's fake timers.
 */
const { setTimeout: later, clearTimeout: clear } = globalThis;

export const setTimeout = later.bind(globalThis);
export const clearTimeout = clear.bind(globalThis);
export const setImmediate = (then: () => void): number => Number(later.call(globalThis, then, 0));
export const clearImmediate = (turn: number): void => clear.call(globalThis, turn);
