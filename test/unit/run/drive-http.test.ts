import { expect, test } from "vitest";
import { DriveReport } from "../../../src/drive/report.ts";
import { AUTO } from "../../../src/drive/step.ts";
import { driveHttp } from "../../../src/run/drive-http.ts";
import { prepared } from "../../../src/run/drive-run.ts";
import type { Recorder } from "../../../src/run/recorder.ts";

test("a server that nobody reaches is told by its own URL", async () => {
  const recorder = { add: () => {}, fail: () => {} } as unknown as Recorder;
  const report = new DriveReport();
  const driven = driveHttp({ url: "http://127.0.0.1:1/mcp" }, recorder, (door, act) =>
    prepared({ plan: AUTO, era: undefined }, { door, act, report }),
  );
  await expect(driven).rejects.toMatchObject({
    code: "server-failed",
    message: "no answer from http://127.0.0.1:1/mcp: connection refused",
  });
});
