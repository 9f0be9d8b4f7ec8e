import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { type SampleMessage, sampleMsg } from "@/lib/ai/files/samples/sample-message";
import { sampleEncrypted, sampleSigned } from "@/lib/ai/files/samples/sample-signed";
import { type FileToUnderstand, understandFile } from "@/lib/ai/files/understand-file";
import { splitBlocks } from "@/lib/domain/prompt-blocks";

const NOTE = { "001A001F": "IPM.Note" };
const TO = 1;
const CC = 2;

async function read(bytes: Uint8Array, more: Partial<FileToUnderstand> = {}) {
  const { parts, extraction } = await understandFile({
    bytesSource: async () => Readable.from([bytes]),
    size: bytes.byteLength,
    name: "mail.msg",
    contentType: "application/vnd.ms-outlook",
    lane: "",
    model: "gpt-4.1-mini",
    ...more,
  });
  const [part] = parts;
  return { extraction, text: splitBlocks(part?.type === "text" ? part.text : "").blocks[0]?.text };
}

describe("a message of Outlook", () => {
  const inner: SampleMessage = { properties: { ...NOTE, "0037001F": "Before", "1000001F": "First" } };
  const message: SampleMessage = {
    properties: {
      ...NOTE,
      "0037001F": "Größe",
      "0C1A001F": "Ada",
      "5D01001F": "ada@example.com",
      "1000001F": "as text",
      "10130102": Buffer.from("<html><body><h2>Sum</h2><p>12 €</p></body></html>"),
    },
    recipients: [
      { name: "Ben", address: "ben@example.com", type: TO },
      { name: "cleo@example.com", address: "cleo@example.com", type: CC },
      { name: "Dan", address: "/O=COMPANY/CN=DAN@X", type: TO },
    ],
    attachments: ["bill.pdf", inner],
  };

  it.each([
    ["beside it", (parts: Buffer) => parts],
    ["around it", (parts: Buffer) => sampleSigned(parts)],
  ])("is read where it is signed, with the signature %s, and all of it is in one file", async (_where, wrap) => {
    const parts =
      'Content-Type: multipart/signed; boundary="B"\r\n\r\n--B\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nGr=C3=BC=C3=9Fe\r\n--B\r\nContent-Type: application/pkcs7-signature; name=smime.p7s\r\n\r\nMIAG\r\n--B--\r\n';
    const bytes = sampleMsg({
      properties: { "001A001F": "IPM.Note.SMIME.MultipartSigned", "0037001F": "Signed" },
      attachments: [{ name: "smime.p7m", bytes: wrap(Buffer.from(parts)) }],
    });
    expect((await read(bytes)).text?.trim()).toBe("Subject: Signed\n\nGrüße");
  });

  it("says that it is encrypted where it is", async () => {
    const bytes = sampleMsg({
      properties: { "001A001F": "IPM.Note.SMIME", "0037001F": "Locked" },
      attachments: [{ name: "smime.p7m", bytes: sampleEncrypted() }],
    });
    expect((await read(bytes)).text).toMatch(/Subject: Locked\n\n\[Attachments, not here\]\nsmime\.p7m \(encrypted\)/);
  });

  it("is who wrote what to whom, then its page, then messages in it and the names of other files", async () => {
    const { text, extraction } = await read(sampleMsg(message));
    expect(text).toBe(
      [
        "From: Ada <ada@example.com>\nTo: Ben <ben@example.com>, Dan\nCc: cleo@example.com\nSubject: Größe",
        "## Sum\n\n12 €",
        "[Attached mail]\nSubject: Before\n\nFirst",
        "[Attachments, not here]\nbill.pdf",
      ].join("\n\n"),
    );
    expect(extraction).toMatchObject({ kind: "mail", skipped: { embeddedFiles: 1 } });
  });

  it("whose text is rich text alone is read too, and one that is damaged has its fields", async () => {
    const rich = Buffer.from("{\\rtf1\\ansi Dear \\b Ben\\b0,\\par see you.}");
    // Not compressed, as the format allows.
    const head = Buffer.alloc(16);
    head.writeUInt32LE(rich.length + 12, 0);
    head.writeUInt32LE(rich.length, 4);
    head.write("MELA", 8);
    const message = (bytes: Buffer) => ({ properties: { ...NOTE, "0037001F": "Monday", "10090102": bytes } });
    const { text } = await read(sampleMsg(message(Buffer.concat([head, rich]))));
    expect(text).toBe("Subject: Monday\n\nDear Ben,\n\nsee you.");
    expect((await read(sampleMsg(message(Buffer.from("none"))))).text).toBe("Subject: Monday");
  });

  it("of a program before Unicode is read in the letters that it names", async () => {
    const cyrillic = Buffer.from("cff0e8e2e5f2", "hex");
    const bytes = sampleMsg({
      properties: { "001A001E": Buffer.from("IPM.Note"), "0037001E": cyrillic, "1000001E": cyrillic },
      numbers: { "3FFD0003": 1251 },
    });
    expect((await read(bytes)).text).toBe("Subject: Привет\n\nПривет");
  });

  it("is cut where it does not fit, and says so", async () => {
    const bytes = sampleMsg({ properties: { ...NOTE, "1000001F": "word ".repeat(5_000) } });
    const { text, extraction } = await read(bytes, { maxTokens: 100 });
    expect(text?.length).toBeLessThan(1_000);
    expect(extraction.leftOut).toEqual({ reason: "window", characters: expect.any(Number) });
  });

  it("is refused in its words when it is damaged or empty", async () => {
    const whole = sampleMsg(message);
    await expect(read(whole.subarray(0, whole.length / 2))).rejects.toMatchObject({ code: "UNSUPPORTED_FILE" });
    const empty = read(sampleMsg({ properties: NOTE }));
    await expect(empty).rejects.toMatchObject({ code: "UNSUPPORTED_FILE", message: "The message holds no text." });
  });
});
