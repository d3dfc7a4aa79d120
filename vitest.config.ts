import { basename } from "node:path";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import manifest from "./package.json" with { type: "json" };
import { APART, E2E_FOLDER, SHARED_FOLDERS } from "./test/house/shared-process.ts";

const E2E = `${E2E_FOLDER}/**/*.test.ts`;
/** A test holds that they change nothing that others would see. */
const SHARED = SHARED_FOLDERS.map((folder) => {
  const apart = APART.filter((path) => path.startsWith(`${folder}/`)).map((path) =>
    basename(path, ".test.ts"),
  );
  return `${folder}/**/${apart.length > 0 ? `!(${apart.join("|")})` : "*"}.test.ts`;
});

/** Which take longest, the longest first: begun last, one of them would run alone at the end. */
const LONG = [
  "test/e2e/many-clients.test.ts",
  "test/e2e/walk.test.ts",
  "test/e2e/transparency.test.ts",
  "test/e2e/runners.test.ts",
  "test/e2e/drive.test.ts",
  "test/e2e/modes.test.ts",
  "test/e2e/kill.test.ts",
  "test/e2e/msw.test.ts",
  "test/e2e/diff.test.ts",
  "test/e2e/verify-same.test.ts",
  "test/e2e/forward.test.ts",
  "test/docs/readme.test.ts",
  "test/docs/agents.test.ts",
  "test/property/sessions.test.ts",
  "test/property/cassette.test.ts",
  "test/docs/testing.test.ts",
];

/**
 * Vitest orders by what earlier runs took, which a fresh clone does not know. Files that share processes stand together: a
 * process ends when the next file is one that has its own.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const at = LONG.findIndex((path) => moduleId.endsWith(path));
      return at >= 0 ? at : LONG.length + Number(project.config.isolate);
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  define: { __VERSION__: JSON.stringify(manifest.version) },
  test: {
    // Projects inherit this, and flags do not reach them. More files at once would need more cores than CI has.
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      // One after the other in the same processes, which load what they share once.
      { extends: true, test: { name: "in-process, shared", include: SHARED, isolate: false } },
      {
        extends: true,
        test: {
          name: "in-process",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, E2E, ...SHARED],
        },
      },
      // Against the built command, which is built first where it is out of date. These wait for processes and sockets
      // about a third of the time, in which a third file goes on.
      {
        extends: true,
        test: {
          name: "e2e",
          include: [E2E],
          isolate: false,
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          globalSetup: ["test/e2e/support/build.ts"],
        },
      },
    ],
  },
});
