import { describe, expect, it } from "vitest";
import { BOUNDARY, bytesField, field, file, form, part, rawPart } from "@/e2e/support/multipart-forms";
import { options, receive, type Saved, useTestStore } from "@/e2e/support/multipart-stage";
import { type ReceiveMultipartOptions, receiveMultipart } from "@/lib/http/receive-multipart";

const store = useTestStore();

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
    "a second file over the limit, which it names",
    form(good, file("file", "big", Buffer.alloc(200_000))),
    {
      code: "FILE_TOO_LARGE",
      param: "file",
      message: "file number 2 must be at most 100000 bytes. Send a smaller file or split it.",
    },
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

describe("a bad form", () => {
  it.each(PASSED_OVER)("is refused and leaves no file: a part %s", async (_what, lost) => {
    for (const body of [form(good, lost, field("prompt", "x")), form(good, lost), form(lost, good)]) {
      await expect(receive(body)).rejects.toMatchObject({
        code: "INVALID_MULTIPART",
        message: expect.stringMatching(/^A part of the form cannot be read\./),
      });
      expect(store.kept).toEqual([]);
    }
  });

  it.each(REFUSED)("is refused and leaves no file: %s", async (_what, body, expected, over) => {
    await expect(receive(body, over)).rejects.toMatchObject(expected);
    expect(store.kept).toEqual([]);
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
});
