import type { RecordedEntries } from "../drift/side.ts";
import { EVERYTHING, type Inquiry } from "../drive/discovery.ts";
import { AjvSchemas } from "../scenario/ajv/ajv-schemas.ts";
import { checkSchemas } from "../scenario/check/check-schemas.ts";
import { dialectsIn } from "../scenario/dialects-in.ts";
import { loadScenario } from "../scenario/load-scenario.ts";
import { ScenarioServer } from "../scenario/serve/scenario-server.ts";
import { Timers } from "../transport/timer.ts";
import { askPromises, type Connect } from "./ask-promises.ts";
import type { Seen } from "./entry-sink.ts";
import { type LoadModule, scenarioFile, scenarioFiles } from "./scenario-files.ts";

/**
 * What the server of a scenario promises, as a recording of being asked.
 * @throws VcrError `scenario-invalid`
 */
export async function scenarioPromises(
  name: string,
  loadModule: LoadModule,
  inquiry: Inquiry = EVERYTHING,
): Promise<RecordedEntries> {
  const scenario = await loadScenario(scenarioFile(name), scenarioFiles(loadModule), name);
  const schemas = new AjvSchemas(dialectsIn(scenario));
  checkSchemas(scenario, await schemas.load());
  const connect: Connect = async (tape, prepare) => {
    const timers = new Timers();
    const put = (from: Seen["from"], raw: Uint8Array) => tape.put({ from, session: 1, raw });
    const server = new ScenarioServer(scenario, {
      send: (message) => {
        put("server", message.bytes);
        setImmediate(() => run.driver.receive(message));
      },
      timer: timers.start,
      now: () => Date.now(),
      schemas,
      miss: () => {},
    });
    const run = prepare("stdio", (action) => {
      if (action.type !== "send") return;
      put("client", action.message.bytes);
      server.receive(action.message);
    });
    try {
      await run.go();
    } finally {
      server.close();
      timers.close();
    }
  };
  return askPromises({ transport: "stdio", command: ["scenario", name] }, connect, inquiry);
}
