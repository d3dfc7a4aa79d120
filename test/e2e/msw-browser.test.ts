import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { build } from "esbuild";
import { describe, expect, onTestFinished, test } from "vitest";
import { CHROMIUM, Page } from "./support/browser.ts";
import { fixture } from "./support/program.ts";

/** The page and its script, with this version of msw, as a bundler makes it for browsers. */
async function filesOf(msw: "msw" | "msw3"): Promise<ReadonlyMap<string, { type: string; text: string }>> {
  const { outputFiles } = await build({
    entryPoints: [fixture("../e2e/support/msw-page.mjs")],
    bundle: true,
    platform: "browser",
    format: "esm",
    write: false,
    alias: {
      "msw/browser": `./node_modules/${msw}/lib/browser/index.${msw === "msw" ? "mjs" : "js"}`,
      msw: `./node_modules/${msw}`,
    },
  });
  const script = (text: string) => ({ type: "text/javascript", text });
  return new Map([
    ["/", { type: "text/html", text: `<!doctype html><script type="module" src="/page.js"></script>` }],
    ["/page.js", script(outputFiles[0]?.text ?? "")],
    ["/mockServiceWorker.js", script(readFileSync(`node_modules/${msw}/lib/mockServiceWorker.js`, "utf8"))],
    ["/cassettes/weather.yaml", { type: "text/yaml", text: readFileSync("cassettes/weather.yaml", "utf8") }],
    ["/other", { type: "text/plain", text: "the page's own server" }],
  ]);
}

async function serve(files: Awaited<ReturnType<typeof filesOf>>): Promise<string> {
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? "");
    response.writeHead(file ? 200 : 404, { "content-type": file?.type ?? "text/plain" }).end(file?.text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

describe.skipIf(CHROMIUM === undefined)("in Chromium (where it is installed)", () => {
  test.each(["msw", "msw3"] as const)("%s: clients of a page are answered by a cassette", async (msw) => {
    const page = await Page.open(await serve(await filesOf(msw)));
    const seen = await page.value("await window.seen");
    expect(seen).toMatchObject({
      texts: [
        "Oslo, Monday\n3 °C, rain\nwind 7 m/s from the west",
        "Nairobi is warmest, Oslo is wettest.",
        "Lisbon, Monday\n19 °C, sunny",
      ],
      progress: [1, 2, 3],
      plain: expect.stringContaining("No recorded exchange answers tools/call forecast."),
      other: "the page's own server",
      misses: [{ label: "tools/call forecast", cassette: "/cassettes/weather.yaml" }],
    });
  });
});
