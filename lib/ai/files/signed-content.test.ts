import { describe, expect, it } from "vitest";
import { readMail } from "@/lib/ai/files/mail/read-mail";
import { sampleMail } from "@/lib/ai/files/samples/sample-mail";
import { textPdf } from "@/lib/ai/files/samples/sample-pdf";
import { sampleEncrypted, sampleSignature, sampleSigned } from "@/lib/ai/files/samples/sample-signed";
import { blockOf, refusalOf, understandSample } from "@/lib/ai/files/samples/sample-understand";
import { signedContent } from "@/lib/ai/files/signed-content.mjs";

const INVOICE = Buffer.from('<?xml version="1.0"?><Invoice><Sum>122.00</Sum></Invoice>');

describe("a file in its signature", () => {
  it.each([
    ["at once", sampleSigned(INVOICE)],
    ["in pieces", sampleSigned(INVOICE, true)],
    ["twice", sampleSigned(sampleSigned(INVOICE, true))],
  ])("is read as what was signed, which stands there %s", async (_how, bytes) => {
    const understood = await understandSample(bytes, { name: "bill.xml.P7M" });
    expect(blockOf(understood)).toMatchObject({ name: "bill.xml", text: expect.stringContaining("<Sum>122.00</Sum>") });
    expect(understood.kind).toBe("xml");
  });

  it("may be of any kind, also where it came along with a mail", async () => {
    const pdf = sampleSigned(textPdf(["Paid."]));
    expect(blockOf(await understandSample(pdf))?.text).toContain("Paid.");
    const mail = sampleMail([["bill.pdf.p7m", "application/octet-stream", pdf]]);
    expect(blockOf(await understandSample(mail))?.text).toContain("[Attached file: bill.pdf.p7m]\n[Page 1]\nPaid.");
  });

  it.each([
    ["a signature alone", sampleSignature(), /signature without what it signs/],
    ["one that breaks off", sampleSigned(INVOICE).subarray(0, 60), /damaged\. Send the file that was signed\.$/],
    ["what is encrypted", sampleEncrypted(), /an encrypted file, .* Send it without encryption\.$/],
  ])("is refused with what to do where it is %s", async (_what, bytes, message) => {
    expect((await refusalOf(understandSample(bytes))).message).toMatch(message);
  });

  it("is given up where it has more signatures around it than anybody makes, or nests without end", () => {
    let bytes = sampleSigned(INVOICE);
    for (let layer = 0; layer < 10; layer++) bytes = sampleSigned(bytes);
    expect(signedContent(bytes)).toBeUndefined();
    const head = sampleSigned(INVOICE, true).subarray(0, 40);
    expect(signedContent(Buffer.concat([head, Buffer.from("3080".repeat(100_000), "hex")]))).toBeUndefined();
  });
});

describe("a mail in its signature", () => {
  const mail = (bytes: Buffer) =>
    Buffer.from(
      `From: Ada <ada@example.com>\r\nSubject: Bill\r\nMIME-Version: 1.0\r\nContent-Type: application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: attachment; filename="smime.p7m"\r\n\r\n${bytes.toString("base64")}\r\n`,
    );

  const parts =
    'Content-Type: multipart/mixed; boundary="B"\r\n\r\n--B\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Pay 77 €</p>\r\n--B\r\nContent-Type: text/csv; name="a.csv"\r\n\r\na,b\r\n--B--\r\n';

  it("is read with all its parts", async () => {
    expect(blockOf(await understandSample(mail(sampleSigned(Buffer.from(parts)))))?.text.trim()).toBe(
      "From: Ada <ada@example.com>\nSubject: Bill\n\nPay 77 €\n\n[Attached file: a.csv]\na,b",
    );
  });

  it("is one also where the signed part came alone", async () => {
    const understood = await understandSample(sampleSigned(Buffer.from(parts)), {
      name: "smime.p7m",
      contentType: "application/pkcs7-mime",
    });
    expect(understood.kind).toBe("mail");
    expect(blockOf(understood)?.text.trim()).toBe("Pay 77 €\n\n[Attached file: a.csv]\na,b");
    const one = Buffer.from("Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\nSGk=\r\n");
    expect(blockOf(await understandSample(sampleSigned(one)))?.text.trim()).toBe("Hi");
  });

  it("says that it is encrypted where it is", async () => {
    const read = await readMail(mail(sampleEncrypted()), {});
    expect(read?.text).toBe(
      "From: Ada <ada@example.com>\nSubject: Bill\n\n[Attachments, not here]\nsmime.p7m (encrypted)",
    );
  });
});
