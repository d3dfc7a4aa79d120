import { configDefaults, defineConfig } from "vitest/config";
import manifest from "./package.json" with { type: "json" };

const E2E = "test/e2e/**/*.test.ts";

export default defineConfig({
  define: { __VERSION__: JSON.stringify(manifest.version) },
  test: {
    // Projects inherit this, and flags do not reach them. More files at once would need more cores than CI has.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "in-process",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, E2E],
        },
      },
      // Against the built command, which is built first where it is out of date.
      { extends: true, test: { name: "e2e", include: [E2E], globalSetup: ["test/e2e/support/build.ts"] } },
    ],
  },
});
