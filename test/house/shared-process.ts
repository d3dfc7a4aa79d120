import { PURE_FOLDERS } from "./import-order.ts";

/** Folders of tests whose files share processes, which load once what they share; so a file must leave its process as it was. */
export const SHARED_FOLDERS: readonly string[] = [
  ...[...PURE_FOLDERS, "config", "run", "setup"].map((name) => `test/unit/${name}`),
  ...["docs", "golden", "property"].map((name) => `test/${name}`),
];

/** The end-to-end tests, too. */
export const E2E_FOLDER = "test/e2e";

/** Files of these folders that do not, and so have a process of their own. */
export const APART: readonly string[] = ["test/unit/run/beginning.test.ts"];
