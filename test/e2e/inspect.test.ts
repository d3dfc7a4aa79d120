import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { CHROMIUM, Page } from "./support/browser.ts";
import { tempFolder } from "./support/cassette.ts";
import { CLI, run } from "./support/program.ts";

const WEATHER = "cassettes/weather.yaml";
const inspect = (...args: string[]) => run([CLI, "inspect", ...args]);

test("text goes to stdout, counts first", async () => {
  const { code, stdout, stderr } = await inspect(WEATHER);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.toString()).toMatch(/^cassettes\/weather\.yaml\n {2}format {4}1, recorded /);
  expect(stdout.toString()).toMatch(/\n {2}forecast +3 +0 +1 /);
});

test.each([
  [["nowhere.yaml"], 3, /nowhere\.yaml: there is no such file/],
  [[WEATHER, "--grep", "("], 2, /--grep \(: Invalid regular expression/],
  [[WEATHER, "--format", "svg"], 2, /Allowed choices are text, json, mermaid, html/],
  [[WEATHER, "-o", WEATHER], 2, /-o cassettes\/weather\.yaml: that is a cassette's name/],
  [[WEATHER, "-o", "no/such/folder/x.txt"], 2, /no\/such\/folder\/x\.txt cannot be written/],
])("inspect %j exits %i", async (args, exit, complaint) => {
  const { code, stdout, stderr } = await inspect(...args);
  expect(code).toBe(exit);
  expect(stderr).toMatch(complaint);
  expect(stdout.toString()).toBe("");
});

test("what is cut off is told, and the rest is shown", async () => {
  const file = join(tempFolder(), "cut.jsonl");
  const header = {
    "mcp-vcr": 1,
    recorded: "x",
    recorder: "x",
    source: { transport: "stdio", command: ["x"] },
  };
  writeFileSync(file, `${JSON.stringify(header)}\n{"at":1,"from":"client","text":"a"}\n{"at":2,"fr`);
  const { code, stdout, stderr } = await inspect(file, "--format", "json");
  expect(code).toBe(0);
  expect(stderr).toMatch(/cut\.jsonl:3: the last entry is cut off/);
  expect(JSON.parse(stdout.toString()).timeline).toHaveLength(1);
});

/** A session that tries to become a part of the page. */
function hostile(folder: string): string {
  const file = join(folder, "hostile.jsonl");
  const name =
    "</script><img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>";
  const source = { transport: "stdio", command: [name] };
  const lines: object[] = [{ "mcp-vcr": 1, recorded: name, recorder: name, source }];
  for (let id = 1; id <= 5000; id++) {
    const params = { name: id % 2 ? name : "forecast", arguments: { city: id === 4999 ? "Tromsø" : "Oslo" } };
    lines.push({ at: id, from: "client", message: { jsonrpc: "2.0", id, method: "tools/call", params } });
    lines.push({
      at: id,
      from: "server",
      message: { jsonrpc: "2.0", id, result: { content: [], [name]: name } },
    });
  }
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

async function pageOf(file: string): Promise<string> {
  const html = `${file}.html`;
  const { code, stderr } = await inspect(file, "--format", "html", "-o", html);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return html;
}

test("the page is one file that asks nothing of a network, and lets only its own script run", async () => {
  const html = readFileSync(await pageOf(hostile(tempFolder())), "utf8");
  expect(html).toMatch(
    /content="default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; base-uri 'none'/,
  );
  expect(html.match(/<script/g)).toHaveLength(2);
  expect(html).not.toMatch(/<(link|img|iframe|base)\b|\bimport\b|https?:\/\//);
});

describe.skipIf(CHROMIUM === undefined)("in Chromium (where it is installed)", () => {
  const open = async (options?: Parameters<typeof Page.open>[1]) =>
    Page.open(pathToFileURL(await pageOf(hostile(tempFolder()))).href, options);

  test("10,000 messages: few are drawn, all are found, keys lead everywhere, nothing is taken for HTML", async () => {
    const page = await open();
    expect(await page.value("document.querySelectorAll('.row').length")).toBeLessThan(80);
    await page.press("End", "Enter");
    expect(await page.value("document.querySelector('#details h2').textContent")).toBe(
      "result of tools/call forecast",
    );
    await page.press("a");
    expect(await page.value("document.querySelector('#details pre').textContent")).toContain('"id": 5000');
    await page.press("Escape", "/", ..."Troms");
    await page.value("new Promise((done) => setTimeout(done, 400))");
    expect(await page.value("document.querySelector('#found').textContent")).toBe("1 of 10000");
    expect(await page.value("document.querySelector('.row mark').textContent")).toBe("Troms");
    expect(await page.value("document.querySelector('.row .time').textContent")).toMatch(
      /^\d+(\.\d{3} s| ms|:\d\d\.\d{3})$/,
    );
    await page.press("Enter", "Enter");
    expect(await page.value("document.querySelector('#details pre').textContent")).toContain("Tromsø");
    expect(await page.value("document.querySelector('#details mark').textContent")).toBe("Troms");
    await page.press("Escape", "Escape", "?");
    expect(await page.value("document.querySelector('#help').open")).toBe(true);
    expect(await page.value("document.querySelectorAll('img').length")).toBe(0);
    expect(await page.value("document.title")).toMatch(/hostile\.jsonl – mcp-vcr$/);
    expect(page.faults).toEqual([]);
  });

  test("on a phone, in the dark: as wide as the screen, and the message covers it", async () => {
    const page = await open({ width: 390, height: 844, dark: true });
    const width = "document.documentElement.scrollWidth";
    const ground = "getComputedStyle(document.body).backgroundColor";
    expect(await page.value(width)).toBe(390);
    expect(
      await page.value("document.querySelector('.row.client .peek').getClientRects().length"),
    ).toBeGreaterThan(0);
    const dark = await page.value(ground);
    await page.press("Enter");
    expect(await page.value("document.querySelector('#details').clientWidth")).toBe(390);
    expect(await page.value(width)).toBe(390);
    await page.press("t");
    expect(await page.value(ground)).not.toBe(dark);
    expect(page.faults).toEqual([]);
  });
});
