import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeSnippets } from "@/components/playground/make-snippets";
import { type CallBody, exampleValues, makeCall, type PlaygroundCall } from "@/components/playground/playground-call";
import { isInstalled } from "@/e2e/support/run-verification";
import { ENDPOINTS } from "@/lib/contracts/endpoints";
import { describeForPlayground } from "@/lib/contracts/playground";

/** Each snippet is run as it stands, and what arrives is compared with the call that it was made from. */

const run = promisify(execFile);
const HOSTILE = `it's "q" \\n \\ $HOME \`id\` $(id) \${1} %s {0} # // é 漢 🎉 \u2028 </script>\nsecond line`;
const KEY = "bld_abc";

interface Received {
  method: string;
  url: string;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

let server: Server;
let hostUrl: string;
let folder: string;
let received: Received[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "snippets-"));
  await writeFile(join(folder, FILE_NAME), "the bytes");
  server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = "", url = "", headers } = request;
    received.push({ method, url, headers, body: Buffer.concat(parts) });
    if (url === FILE_PATH) response.setHeader("Content-Type", "text/answered");
    response.end(url === FILE_PATH ? FILE_BYTES : "answered");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  hostUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

const FILE_PATH = "/file";
/** No text in any encoding. */
const FILE_BYTES = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0x00]);
const FILE_NAME = `it's; a, "file" ${"$"}(x).txt`;

const CALLS: Record<string, PlaygroundCall> = {
  "a GET with a query": call({
    method: "GET",
    path: `/a/${encodeURIComponent(HOSTILE)}?${new URLSearchParams({ q: "a'b&c" })}`,
  }),
  "a call without a key": call({ method: "GET", path: "/open", needsKey: false }),
  "a DELETE": call({ method: "DELETE", path: "/a" }),
  "a header": call({ method: "POST", path: "/a", headers: [["Idempotency-Key", `it's "a" $HOME \\ key`]] }),
  JSON: call({
    method: "POST",
    path: "/a",
    body: { kind: "json", value: { text: HOSTILE, n: 3, yes: true, none: null, deep: { list: [1, [], {}, HOSTILE] } } },
  }),
  "a form": call({
    method: "POST",
    path: "/a",
    body: {
      kind: "form",
      fields: [
        ["prompt", `@${HOSTILE}`],
        ["vars", '{"a":"<b;"}'],
      ],
      fileField: "file",
      fileNames: [FILE_NAME],
    },
  }),
  "a long text": call({
    method: "POST",
    path: "/a",
    body: { kind: "json", value: { text: `${HOSTILE}é🎉`.repeat(3_000) } },
  }),
  "an empty form": call({
    method: "POST",
    path: "/a",
    body: { kind: "form", fields: [], fileField: "file", fileNames: [] },
  }),
  "a file": call({ method: "GET", path: FILE_PATH, isFile: true }),
  "a stream": call({ method: "GET", path: "/a", isStream: true }),
};

function call(parts: Partial<PlaygroundCall>): PlaygroundCall {
  return {
    method: "GET",
    path: "/",
    needsKey: true,
    headers: [],
    body: { kind: "none" },
    isStream: false,
    isFile: false,
    ...parts,
  };
}

describe.each((["curl", "TypeScript", "Python"] as const).filter(isInstalled))("in %s", (language) => {
  beforeAll(() => runAll(language), 60_000);

  it.each(Object.entries(CALLS))("%s arrives as it was meant", async (name, meant) => {
    const request = received[Object.keys(CALLS).indexOf(name)];
    expect(request).toMatchObject({ method: meant.method, url: meant.path });
    expect(request?.headers["x-api-key"]).toBe(meant.needsKey ? KEY : undefined);
    for (const [header, value] of meant.headers) expect(request?.headers[header.toLowerCase()]).toBe(value);
    if (meant.body.kind === "json") {
      expect(request?.headers["content-type"]).toBe("application/json");
      expect(JSON.parse(String(request?.body))).toEqual(meant.body.value);
    }
    if (meant.body.kind === "form" && request) await expectForm(request, meant.body);
    if (meant.isFile) expect(await readFile(join(folder, "answer"))).toEqual(FILE_BYTES);
  });
});

it("makes a call of every endpoint whose JSON body its own definition takes", () => {
  for (const [at, endpoint] of describeForPlayground(ENDPOINTS).entries()) {
    const { body } = makeCall(endpoint, exampleValues(endpoint));
    const definition = ENDPOINTS[at];
    if (body.kind === "json")
      expect([endpoint.id, definition?.body?.schema.safeParse(body.value).error]).toEqual([endpoint.id, undefined]);
    expect(makeSnippets(makeCall(endpoint, {}), hostUrl)).toHaveLength(3);
  }
});

/** Runs the language's snippets one after another; Python's, which takes long to start, in one process. */
async function runAll(language: "curl" | "TypeScript" | "Python"): Promise<void> {
  received = [];
  await rm(join(folder, "answer"), { force: true });
  const codes = Object.values(CALLS).map((meant) => codeOf(language, meant));
  for (const code of language === "Python" ? [codes.join("\n")] : codes) {
    const [file, program] = PROGRAMS[language];
    await writeFile(join(folder, file), code);
    const { stdout } = await run(program, [file], { cwd: folder, env: { ...process.env, API_KEY: KEY } });
    expect(stdout).toContain("answered");
  }
}

const PROGRAMS = {
  curl: ["call.sh", "bash"],
  TypeScript: ["call.mts", process.execPath],
  Python: ["call.py", "python3"],
} as const;

function codeOf(language: string, meant: PlaygroundCall): string {
  return makeSnippets(meant, hostUrl).find((each) => each.language === language)?.code ?? "";
}

/** Line ends are written anew on the way in a form. */
async function expectForm(request: Received, { fields, fileNames }: CallBody & { kind: "form" }): Promise<void> {
  const type = String(request.headers["content-type"]);
  const form = await new Response(new Uint8Array(request.body), { headers: { "Content-Type": type } }).formData();
  for (const [name, value] of fields) expect(String(form.get(name)).replaceAll("\r\n", "\n")).toBe(value);
  for (const file of form.getAll("file")) expect(await (file as File).text()).toBe("the bytes");
  expect([...form]).toHaveLength(fields.length + fileNames.length);
}
