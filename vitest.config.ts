import { defineConfig } from "vitest/config";
import manifest from "./package.json" with { type: "json" };

export default defineConfig({
  define: { __VERSION__: JSON.stringify(manifest.version) },
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
