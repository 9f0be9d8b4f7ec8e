import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { BOUNDARY, bytesField, field, file, form, head, MEGABYTE, part, request } from "@/e2e/support/multipart-forms";
import { options, receive, save, useTestStore } from "@/e2e/support/multipart-stage";
import { receiveMultipart } from "@/lib/http/receive-multipart";

const store = useTestStore();

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
    expect(store.undone).toBe(0);
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
      expect(files.map((received) => [received.name, received.bytes.toString()])).toEqual([[name, "x"]]);
    }
  });
});
