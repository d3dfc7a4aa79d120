/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once, as if nobody listened. */
export function untilAskedToEnd(): Promise<void> {
  return new Promise((resolve) => {
    const asked = () => {
      process.off("SIGINT", asked);
      process.off("SIGTERM", asked);
      resolve();
    };
    process.on("SIGINT", asked);
    process.on("SIGTERM", asked);
  });
}
