import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { AppError } from "@/lib/domain/errors";
import { type ReceiveMultipartOptions, receiveMultipart } from "@/lib/http/receive-multipart";
import type { IncomingFile } from "@/lib/http/receive-multipart-form";

const MEGABYTE = 1024 * 1024;
const BOUNDARY = "----test-boundary-7MA4YWxkTrZu0gW";

interface Saved {
  name: string;
  contentType: string;
  index: number;
  bytes: Buffer;
}

/** What the "store" holds: saved, being saved, discarded. */
let kept: Saved[] = [];
let undone = 0;

beforeEach(() => {
  kept = [];
  undone = 0;
});

describe("a good form", () => {
  it("gives the fields and hands each file on, in order", async () => {
    const first = randomBytes(3 * MEGABYTE);
    const body = form(
      field("prompt", "Sum it up. Grüße 👋"),
      file("file", "a.bin", first),
      field("templateVars", '{"a": 1}'),
      file("file", "Ünïcode 日本.txt", "two", "text/plain"),
      field("empty", ""),
      file("file", "old.csv", "three", 'text/csv; charset="windows-1251"'),
    );
    const received = await receive(body, { files: { field: "file", max: 3 } });
    expect({ ...received.fields }).toEqual({ prompt: "Sum it up. Grüße 👋", templateVars: '{"a": 1}', empty: "" });
    expect(received.files.map(({ name, index, contentType }) => [name, index, contentType])).toEqual([
      ["a.bin", 0, "application/octet-stream"],
      ["Ünïcode 日本.txt", 1, "text/plain"],
      ["old.csv", 2, 'text/csv; charset="windows-1251"'],
    ]);
    expect(received.files[0]?.bytes.equals(first)).toBe(true);
    expect(undone).toBe(0);
  });

  it("may name many files as lists are written: PHP's curl knows no other way to send several", async () => {
    const body = form(file("file[0]", "a", "one"), file("file[1]", "b", "two"), file("file[]", "c", "three"));
    const received = await receive(body, { files: { field: "file", max: 3 } });
    expect(received.files.map(({ name, index }) => [name, index])).toEqual([
      ["a", 0],
      ["b", 1],
      ["c", 2],
    ]);
  });

  it("may be as long as its parts at their limits, and say so", async () => {
    const bytes = 100_000;
    const [full, text] = [Buffer.alloc(bytes), "x".repeat(bytes)];
    const body = form(file("file", "a", full), file("file", "b", full), field("c", text), field("d", text));
    const bounds = { files: { field: "file", max: 2 }, maxFileBytes: bytes, maxFields: 2, maxFieldBytes: bytes };
    const sent = request(Readable.from([body]), { "content-length": String(body.length) });
    const received = await receiveMultipart(sent, options({ saveFile: save, ...bounds }));
    expect([received.files.length, Object.keys(received.fields)]).toEqual([2, ["c", "d"]]);
  });

  it("hands names on as browsers and .NET mean them", async () => {
    const names = ["a %22b%22.txt", "=?utf-8?B?w5xiZXJzaWNodC5wZGY=?="];
    const body = form(...names.map((name) => file("file", name, "x")));
    const received = await receive(body, { files: { field: "file", max: 2 } });
    expect(received.files.map(({ name }) => name)).toEqual(['a "b".txt', "Übersicht.pdf"]);
  });

  it("takes filename* before the name that stands in for it, whichever comes first, and where it can be read", async () => {
    const plain = 'filename="?bersicht.pdf"';
    const extended = "filename*=UTF-8''%C3%9Cbersicht.pdf";
    const names = [
      `${plain}; ${extended}`,
      `${extended}; ${plain}`,
      extended,
      `${plain}; filename*="ISO-8859-1'de'%DCbersicht.pdf"`,
      `${plain}; filename*=UTF-8''%FF.pdf`,
      `${plain}; filename*=made-up''a.pdf`,
    ];
    const body = form(...names.map((name) => part(`form-data; name="file"; ${name}`, "x")));
    const received = await receive(body, { files: { field: "file", max: names.length } });
    const meant = "Übersicht.pdf";
    expect(received.files.map(({ name }) => name)).toEqual([
      meant,
      meant,
      meant,
      meant,
      "?bersicht.pdf",
      "?bersicht.pdf",
    ]);
  });

  it("reads a name in the code page of a western Windows, as its curl sends it, and leaves one in UTF-8 alone", async () => {
    const inCodePage = Buffer.from(head("file", "\u00dcbersicht \u0096 M\u00e4rz.pdf").concat("x\r\n"), "latin1");
    const body = form(inCodePage, file("file", "Übersicht – März.pdf", "x"), file("file", "\u0080Ã¼.pdf", "x"));
    const received = await receive(body, { files: { field: "file", max: 3 } });
    const meant = "Übersicht – März.pdf";
    expect(received.files.map(({ name }) => name)).toEqual([meant, meant, "\u0080Ã¼.pdf"]);
  });

  it("takes parts that say that their bytes are as they are", async () => {
    const parts = ["binary", "8bit", "7BIT"].map((encoding, index) =>
      part(`form-data; name="field${index}"\r\nContent-Transfer-Encoding: ${encoding}`, "Größe"),
    );
    expect(Object.values((await receive(form(...parts))).fields)).toEqual(["Größe", "Größe", "Größe"]);
  });

  it("reads a field in the charset that its part names, whatever follows it", async () => {
    const body = form(
      bytesField("prompt", Buffer.from("Grüße", "latin1"), 'text/plain; charset="iso-8859-1"'),
      bytesField("message", Buffer.from([0xcf, 0xf0, 0xe8]), "text/plain;charset=windows-1251"),
      bytesField("endUserId", Buffer.from("\ufeffÄ \ufffd"), "text/plain; charset=UTF-8"),
      field("callbackUrl", "日本"),
      file("file", "a.txt", "x", "text/plain; charset=utf-16"),
    );
    const { fields } = await receive(body);
    expect({ ...fields }).toEqual({
      prompt: "Grüße",
      message: "При",
      endUserId: "\ufeffÄ \ufffd",
      callbackUrl: "日本",
    });
  });

  it.each([1, 2, 7, 64, 1000])("reads the same when it arrives in chunks of %i bytes", async (chunkBytes) => {
    const content = `\r\n--${BOUNDARY.slice(0, -1)}\r\n--\r\n\r\n-${BOUNDARY}\r--${BOUNDARY}\n--${BOUNDARY}--`.repeat(
      20,
    );
    const body = form(field("prompt", "p"), file("file", "f", content), file("file", "g", "\r\n"), field("z", "end"));
    const received = await receive(body, { files: { field: "file", max: 2 }, chunkBytes });
    expect({ ...received.fields }).toEqual({ prompt: "p", z: "end" });
    expect(received.files.map(({ bytes }) => bytes.toString())).toEqual([content, "\r\n"]);
  });

  it("takes fifty files", async () => {
    const parts = Array.from({ length: 50 }, (_, index) => file("file", `${index}.txt`, `content ${index}`));
    const received = await receive(form(...parts), { files: { field: "file", max: 50 } });
    expect(received.files.map(({ bytes }) => bytes.toString())).toEqual(parts.map((_, index) => `content ${index}`));
  });

  it("takes a file without a file name that says its type, and a form without a file", async () => {
    const received = await receive(form(bytesField("file", Buffer.from("inline"), "application/octet-stream")));
    expect(received.files.map(({ name, bytes }) => [name, bytes.toString()])).toEqual([["", "inline"]]);
    expect((await receive(form(field("prompt", "x"), field("file", "")))).files).toEqual([]);
    expect((await receive(form(field("prompt", "x")))).files).toEqual([]);
  });

  it("takes a browser's empty file input as no file", async () => {
    expect((await receive(form(field("prompt", "x"), file("file", "", "")))).files).toEqual([]);
  });

  it("gives hostile field names as own properties and harms nothing", async () => {
    const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "a.b[c]", "prototype"];
    const { fields } = await receive(form(...names.map((name) => field(name, "v"))));
    expect(Object.keys(fields)).toEqual(names);
    expect(Object.getPrototypeOf(fields)).toBeNull();
    expect(({} as Record<string, unknown>).v).toBeUndefined();
  });

  it("hands client file names on as they are, whatever they try", async () => {
    for (const name of ["../../etc/passwd", "..\\..\\x", "/abs", "C:\\f.txt", "%2e%2e/x"]) {
      const { files } = await receive(form(file("file", name.replaceAll("\\", "\\\\"), "x")));
      expect(files[0]?.bytes.toString()).toBe("x");
    }
  });

  it("reads the client only as fast as files are saved", async () => {
    let handedOut = 0;
    const source = async function* () {
      yield Buffer.from(head("file", "big.bin"));
      for (let at = 0; at < 64; at += 1) {
        handedOut += MEGABYTE;
        yield Buffer.alloc(MEGABYTE);
      }
      yield Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
    };
    const { promise, resolve } = gate();
    let mostAhead = 0;
    const saveFile = async ({ stream }: IncomingFile) => {
      let read = 0;
      await promise;
      for await (const chunk of stream) {
        read += chunk.byteLength;
        mostAhead = Math.max(mostAhead, handedOut - read);
      }
      return read;
    };
    const received = receiveMultipart(request(Readable.from(source())), options({ saveFile }));
    await until(() => handedOut >= MEGABYTE);
    await new Promise((tick) => setImmediate(tick));
    resolve();
    expect((await received).files).toEqual([64 * MEGABYTE]);
    expect(mostAhead).toBeLessThanOrEqual(6 * MEGABYTE);
  });
});

const good = file("file", "good.txt", "good");
const REFUSED: [
  what: string,
  body: Buffer,
  expected: { code: string; param?: string; message?: string },
  over?: Partial<ReceiveMultipartOptions<Saved>>,
][] = [
  ["an empty file", form(file("file", "empty.txt", "")), { code: "VALIDATION_FAILED", param: "file" }],
  [
    "an empty file after a good one, which it names",
    form(good, file("file", "empty.txt", "")),
    { code: "VALIDATION_FAILED", param: "file", message: "file number 2 is empty; send a file with content." },
    { files: { field: "file", max: 2 } },
  ],
  [
    "a file over the limit",
    form(file("file", "big", Buffer.alloc(1001))),
    { code: "FILE_TOO_LARGE", param: "file" },
    { maxFileBytes: 1000 },
  ],
  [
    "a second file over the limit",
    form(good, file("file", "big", Buffer.alloc(200_000))),
    { code: "FILE_TOO_LARGE" },
    { maxFileBytes: 100_000, files: { field: "file", max: 2 } },
  ],
  [
    "a file in another field",
    form(good, file("avatar", "x.png", "png")),
    { code: "VALIDATION_FAILED", param: "avatar" },
  ],
  [
    "a list of files where one is taken",
    form(good, file("file[0]", "x.png", "png")),
    { code: "VALIDATION_FAILED", param: "file[0]" },
  ],
  [
    "a file in a field whose name only begins alike",
    form(good, file("file[a]", "x.png", "png")),
    { code: "VALIDATION_FAILED", param: "file[a]" },
    { files: { field: "file", max: 2 } },
  ],
  [
    "text in a list of files",
    form(good, field("file[1]", "/tmp/report.pdf")),
    { code: "VALIDATION_FAILED", param: "file" },
    { files: { field: "file", max: 2 } },
  ],
  [
    "a file where none is taken",
    form(file("file", "x.png", "png")),
    { code: "VALIDATION_FAILED", param: "file" },
    { files: { field: "file", max: 0 } },
  ],
  ["too many files", form(good, good), { code: "VALIDATION_FAILED", param: "file" }],
  [
    "a text field sent twice",
    form(good, field("prompt", "a"), field("prompt", "b")),
    { code: "VALIDATION_FAILED", param: "prompt" },
  ],
  [
    "too many text fields",
    form(good, ...Array.from({ length: 21 }, (_, n) => field(`f${n}`, "x"))),
    { code: "VALIDATION_FAILED" },
  ],
  [
    "a text field that is too long",
    form(good, field("prompt", "x".repeat(101))),
    { code: "VALIDATION_FAILED", param: "prompt" },
    { maxFieldBytes: 100 },
  ],
  [
    "a path in place of the file, which the model would answer about",
    form(field("file", "report.pdf")),
    { code: "VALIDATION_FAILED", param: "file", message: expect.stringContaining("-F file=@report.pdf") },
  ],
  ["a field without a name", form(good, part("form-data", "x")), { code: "INVALID_MULTIPART" }],
  [
    "text that is not UTF-8, which would reach the model garbled",
    form(good, bytesField("prompt", Buffer.from("Größe", "latin1"))),
    { code: "INVALID_MULTIPART", param: "prompt", message: expect.stringMatching(/^prompt is not valid UTF-8\./) },
  ],
  [
    "a file in base64, which would be read as the text that it looks like",
    form(good, part('form-data; name="file"; filename="a.txt"\r\nContent-Transfer-Encoding: base64', "dGVhIDM=")),
    { code: "INVALID_MULTIPART", message: expect.stringContaining("Content-Transfer-Encoding") },
    { files: { field: "file", max: 2 } },
  ],
  [
    "a field in quoted-printable",
    form(good, part('form-data; name="prompt"\r\nContent-Transfer-Encoding: quoted-printable', "Gr=C3=B6=C3=9Fe")),
    { code: "INVALID_MULTIPART" },
  ],
  [
    "text that is not in the charset that it names",
    form(good, bytesField("prompt", Buffer.from("Größe", "latin1"), "text/plain; charset=utf-8")),
    { code: "INVALID_MULTIPART", param: "prompt" },
  ],
  [
    "text in a charset that nobody knows",
    form(good, bytesField("prompt", Buffer.from("x"), "text/plain; charset=klingon")),
    { code: "INVALID_MULTIPART", param: "prompt" },
  ],
  ["no final boundary", form(good, field("prompt", "x")).subarray(0, -8), { code: "INVALID_MULTIPART" }],
  ["nothing", Buffer.alloc(0), { code: "INVALID_MULTIPART" }],
  ["no boundary at all", Buffer.from("hello there, no form here"), { code: "INVALID_MULTIPART" }],
  ["another boundary", Buffer.from(form(good).toString().replaceAll(BOUNDARY, "other")), { code: "INVALID_MULTIPART" }],
];

/** A file of a batch, or a bound on the cost, would be missing without a word. */
const PASSED_OVER: [what: string, part: Buffer][] = [
  ["has no Content-Disposition", rawPart("Content-Type: text/plain\r\n\r\nabc")],
  ["is no form-data", part('attachment; name="maxCredits"', "1")],
  ["has a file name with a line break", part("form-data; name=\"file\"; filename*=UTF-8''a%0Ab.txt", "abc")],
  ["has no headers", rawPart("\r\nabc")],
  ["does not end its headers", rawPart('Content-Disposition: form-data; name="maxCredits"\r\n1')],
  [
    "says its name behind more headers than are read",
    rawPart(`${"X-Some: x\r\n".repeat(21)}Content-Disposition: form-data; name="maxCredits"\r\n\r\n1`),
  ],
  [
    "says its name behind longer headers than are read",
    rawPart(`X-Some: ${"x".repeat(17_000)}\r\nContent-Disposition: form-data; name="maxCredits"\r\n\r\n1`),
  ],
];

describe("a form that takes its time", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is waited for as long as bytes come, however long it takes in all", async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const received = receiveMultipart(request(readable), options({ saveFile: save, idleTimeoutSeconds: 10 }));
    const writer = writable.getWriter();
    const body = form(field("prompt", "slow"), good);
    for (let at = 0; at < body.length; at += 100) {
      await writer.write(body.subarray(at, at + 100));
      await vi.advanceTimersByTimeAsync(6_000);
    }
    await writer.close();
    expect({ ...(await received).fields }).toEqual({ prompt: "slow" });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is not given up because its files are saved slowly: its client waits too", async () => {
    const { promise: saved, resolve: goOn } = gate();
    const { promise: begun, resolve: begin } = gate();
    const saveFile = async (incoming: IncomingFile) => {
      begin();
      await saved;
      return save(incoming);
    };
    const body = form(file("file", "big.bin", Buffer.alloc(5 * MEGABYTE)), field("prompt", "x"));
    const received = receive(body, { saveFile, idleTimeoutSeconds: 10 });
    await begun;
    await vi.advanceTimersByTimeAsync(60_000);
    goOn();
    expect((await received).files).toHaveLength(1);
  });
});

describe("a bad form", () => {
  it.each(PASSED_OVER)("is refused and leaves no file: a part %s", async (_what, lost) => {
    for (const body of [form(good, lost, field("prompt", "x")), form(good, lost), form(lost, good)]) {
      await expect(receive(body)).rejects.toMatchObject({
        code: "INVALID_MULTIPART",
        message: expect.stringMatching(/^A part of the form cannot be read\./),
      });
      expect(kept).toEqual([]);
    }
  });

  it.each(REFUSED)("is refused and leaves no file: %s", async (_what, body, expected, over) => {
    await expect(receive(body, over)).rejects.toMatchObject(expected);
    expect(kept).toEqual([]);
  });

  it.each([
    ["application/json", "UNSUPPORTED_MEDIA_TYPE"],
    ["multipart/mixed; boundary=x", "UNSUPPORTED_MEDIA_TYPE"],
    ["multipart/form-dataX; boundary=x", "UNSUPPORTED_MEDIA_TYPE"],
    ["", "UNSUPPORTED_MEDIA_TYPE"],
    ["multipart/form-data", "INVALID_MULTIPART"],
    ["multipart/form-data; boundary", "INVALID_MULTIPART"],
  ])("with the content type %j is %s", async (contentType, code) => {
    await expect(receive(form(good), { contentType })).rejects.toMatchObject({ code });
  });

  it("without a body is INVALID_MULTIPART", async () => {
    const bare = new Request("http://test.local/", {
      method: "POST",
      headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
    });
    await expect(receiveMultipart(bare, options({}))).rejects.toMatchObject({ code: "INVALID_MULTIPART" });
  });

  it("throws what saving throws, and discards the files before it", async () => {
    const full = new AppError("SERVICE_UNAVAILABLE", "full");
    const saveFile = async (incoming: IncomingFile) => {
      if (incoming.index === 2) throw full;
      return save(incoming);
    };
    const body = form(good, good, file("file", "third", Buffer.alloc(5 * MEGABYTE)), good);
    await expect(receive(body, { saveFile, files: { field: "file", max: 4 } })).rejects.toBe(full);
    expect([kept.length, undone]).toEqual([0, 2]);
  });

  it("throws the first error, also when discarding fails", async () => {
    const discard = () => Promise.reject(new Error("discard failed"));
    await expect(receive(form(good, field("a", "1"), field("a", "2")), { discard })).rejects.toMatchObject({
      param: "a",
    });
  });

  it("does not hang when a file is not read to its end", async () => {
    const saveFile = async ({ stream }: IncomingFile) => {
      for await (const _chunk of stream) break;
      return 0;
    };
    await expect(
      receiveMultipart(
        request(Readable.from([form(file("file", "a", Buffer.alloc(5 * MEGABYTE)))])),
        options({ saveFile }),
      ),
    ).rejects.toThrow(/to its end/);
  });

  it("is given up when no bytes arrive any more", async () => {
    const stalling = async function* () {
      yield form(good).subarray(0, 150);
      await new Promise(() => {});
    };
    const stalled = receiveMultipart(
      request(Readable.from(stalling())),
      options({ saveFile: save, discard: undo, idleTimeoutSeconds: 0.1 }),
    );
    await expect(stalled).rejects.toMatchObject({
      code: "INVALID_MULTIPART",
      message: expect.stringContaining("No bytes arrived"),
      isRetryable: true,
    });
    expect(kept).toEqual([]);
  });

  it("cut at any byte fails and leaves nothing", async () => {
    const body = form(field("prompt", "text"), file("file", "a.txt", "some content"), file("file", "b.txt", "more"));
    const end = body.indexOf(`--${BOUNDARY}--`) + BOUNDARY.length + 4;
    for (let length = 0; length < end; length += 1) {
      await expect(
        receive(body.subarray(0, length), { files: { field: "file", max: 2 }, chunkBytes: 50 }),
      ).rejects.toBeInstanceOf(AppError);
      expect(kept).toEqual([]);
    }
  });

  it("changed at random ends as a form or as a client's error, never as a hang or a crash", async () => {
    const body = form(field("prompt", "text"), file("file", "a.txt", "some content"), file("file", "b.txt", "more"));
    const outcomes = { taken: 0, refused: 0 };
    const below = seededRandom(20261120);
    for (let round = 0; round < 1500; round += 1) {
      const broken = Buffer.from(body);
      for (let change = 0; change < 1 + (round % 5); change += 1) {
        broken[below(broken.length)] = below(256);
      }
      kept = [];
      try {
        const { files } = await receive(broken, { files: { field: "file", max: 3 }, chunkBytes: 1 + (round % 90) });
        outcomes.taken += 1;
        expect(kept).toHaveLength(files.length);
      } catch (error) {
        outcomes.refused += 1;
        expect(error).toBeInstanceOf(AppError);
        expect((error as AppError).status).toBeLessThan(500);
        expect(kept).toEqual([]);
      }
    }
    expect(outcomes.taken).toBeGreaterThan(0);
    expect(outcomes.refused).toBeGreaterThan(0);
  });
});

const CONVERSIONS: [name: string, toRequest: (incoming: IncomingMessage) => Request][] = [
  [
    "a web stream made of the socket",
    (incoming) => toRequest(incoming, Readable.toWeb(incoming) as ReadableStream<Uint8Array>),
  ],
  ["the socket itself", (incoming) => toRequest(incoming, incoming as unknown as BodyInit)],
];

describe.each(CONVERSIONS)("over HTTP, with %s as the body", (_name, convert) => {
  let server: Server;
  let port: number;
  let ended: Promise<void>;

  beforeAll(async () => {
    server = createServer((incoming, outgoing) => {
      const { promise, resolve } = gate();
      ended = promise;
      receiveMultipart(convert(incoming), options({ saveFile: save, discard: undo, maxFileBytes: MEGABYTE }))
        .then(() => 200)
        .catch((error: AppError) => error.status)
        .then((status) => outgoing.writeHead(status).end(`answer ${status}`))
        .finally(resolve);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });

  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it("an early 413 reaches a client that sends on, and the rest is not stored", async () => {
    const body = form(file("file", "big.bin", Buffer.alloc(40 * MEGABYTE)));
    for (let round = 0; round < 3; round += 1) {
      expect(await sendAllThenRead(port, body, `Content-Length: ${body.length}`)).toMatch(
        /^HTTP\/1\.1 413 .*answer 413/s,
      );
    }
    expect(kept).toEqual([]);
  });

  it("a 413 by the declared length comes before the body", async () => {
    const answer = await sendAllThenRead(port, Buffer.alloc(0), `Content-Length: ${600 * MEGABYTE}`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("fetch reads the early 413, and the next call works", async () => {
    const data = new FormData();
    data.set("file", new Blob([new Uint8Array(20 * MEGABYTE)]), "big.bin");
    const address = `http://127.0.0.1:${port}/`;
    expect((await fetch(address, { method: "POST", body: data })).status).toBe(413);
    const small = new FormData();
    small.set("file", new Blob(["hello"]), "small.txt");
    expect((await fetch(address, { method: "POST", body: small })).status).toBe(200);
    expect(kept.map(({ bytes }) => bytes.toString())).toEqual(["hello"]);
  });

  it("a client that is cut off leaves no file", async () => {
    const body = form(file("file", "a.bin", Buffer.alloc(500_000)), file("file", "b.bin", Buffer.alloc(500_000)));
    const socket = connect(port, "127.0.0.1");
    socket.write(headOf(`Content-Length: ${body.length}`));
    socket.write(body.subarray(0, 300_000), () => socket.destroy());
    await until(() => undone > 0);
    await ended;
    expect(kept).toEqual([]);
  });
});

it("stops draining at its bound, so that an endless body does not keep the server", async () => {
  let handedOut = 0;
  const { promise: canceled, resolve } = gate();
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      handedOut += MEGABYTE;
      controller.enqueue(new Uint8Array(MEGABYTE));
    },
    cancel: resolve,
  });
  await expect(receiveMultipart(request(endless, { "content-type": "text/plain" }), options({}))).rejects.toMatchObject(
    { status: 415 },
  );
  await canceled;
  expect(handedOut).toBeLessThanOrEqual(67 * MEGABYTE);
});

it("stops draining after ten seconds, so that a silent body does not keep the server either", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    let isCanceled = false;
    const silent = new ReadableStream<Uint8Array>({
      cancel: () => {
        isCanceled = true;
      },
    });
    const refused = receiveMultipart(request(silent, { "content-type": "text/plain" }), options({}));
    await expect(refused).rejects.toMatchObject({ status: 415 });
    await vi.advanceTimersByTimeAsync(9_999);
    expect(isCanceled).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isCanceled).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

function options<T>(over: Partial<ReceiveMultipartOptions<T>>): ReceiveMultipartOptions<T> {
  return {
    files: { field: "file", max: 1 },
    maxFileBytes: 500 * MEGABYTE,
    saveFile: () => Promise.reject(new Error("not expected")),
    discard: () => Promise.resolve(),
    ...over,
  };
}

/** Receives a body and keeps its files in `kept`. */
function receive(
  body: Buffer,
  over: Partial<ReceiveMultipartOptions<Saved>> & { chunkBytes?: number; contentType?: string } = {},
) {
  const { chunkBytes = 65_536, contentType = `multipart/form-data; boundary=${BOUNDARY}`, ...rest } = over;
  const chunks = async function* () {
    for (let at = 0; at < body.length; at += chunkBytes) yield body.subarray(at, at + chunkBytes);
  };
  return receiveMultipart(
    request(Readable.from(chunks()), { "content-type": contentType }),
    options({ saveFile: save, discard: undo, ...rest }),
  );
}

async function save({ stream, ...file }: IncomingFile): Promise<Saved> {
  const entry: Saved = { ...file, bytes: Buffer.alloc(0) };
  kept.push(entry);
  try {
    entry.bytes = await buffer(stream);
  } catch (error) {
    await undo(entry);
    throw error;
  }
  return entry;
}

/** Takes its time, as a store does. */
async function undo(saved: Saved): Promise<void> {
  await new Promise((tick) => setImmediate(tick));
  kept = kept.filter((entry) => entry !== saved);
  undone += 1;
}

function request(body: Readable | ReadableStream<Uint8Array>, headers: Record<string, string> = {}): Request {
  const web = body instanceof Readable ? (Readable.toWeb(body) as ReadableStream<Uint8Array>) : body;
  const init = { "content-type": `multipart/form-data; boundary=${BOUNDARY}`, ...headers };
  return new Request("http://test.local/", { method: "POST", body: web, duplex: "half", headers: init } as RequestInit);
}

function toRequest(incoming: IncomingMessage, body: BodyInit): Request {
  const headers = new Headers(incoming.headers as Record<string, string>);
  return new Request(`http://test.local${incoming.url}`, {
    method: "POST",
    headers,
    body,
    duplex: "half",
  } as RequestInit);
}

/** Sends everything before it reads anything, as simple clients do. */
function sendAllThenRead(port: number, body: Buffer, ...headers: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    socket.pause();
    socket.on("error", reject);
    socket.write(headOf(...headers));
    socket.write(body, () => {
      let answer = "";
      socket.on("data", (chunk) => {
        answer += chunk;
        if (/answer \d+/.test(answer)) {
          socket.destroy();
          resolve(answer);
        }
      });
      socket.on("close", () => resolve(answer));
      socket.resume();
    });
  });
}

function headOf(...headers: string[]): string {
  return [
    "POST / HTTP/1.1",
    "Host: test.local",
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    ...headers,
    "",
    "",
  ].join("\r\n");
}

function form(...parts: Buffer[]): Buffer {
  return Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

function field(name: string, value: string): Buffer {
  return part(`form-data; name="${name}"`, value);
}

function bytesField(name: string, value: Buffer, contentType?: string): Buffer {
  const type = contentType === undefined ? "" : `Content-Type: ${contentType}\r\n`;
  const before = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n${type}\r\n`;
  return Buffer.concat([Buffer.from(before), value, Buffer.from("\r\n")]);
}

function file(
  name: string,
  fileName: string,
  content: string | Buffer,
  contentType = "application/octet-stream",
): Buffer {
  return Buffer.concat([Buffer.from(head(name, fileName, contentType)), Buffer.from(content), Buffer.from("\r\n")]);
}

function head(name: string, fileName: string, contentType = "application/octet-stream"): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: ${contentType}\r\n\r\n`;
}

function part(disposition: string, content: string): Buffer {
  return rawPart(`Content-Disposition: ${disposition}\r\n\r\n${content}`);
}

function rawPart(text: string): Buffer {
  return Buffer.from(`--${BOUNDARY}\r\n${text}\r\n`);
}

/** The same numbers in every run (Lehmer generator). */
function seededRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

function gate(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((tick) => setTimeout(tick, 5));
}
