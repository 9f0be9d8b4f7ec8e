import { describe, expect, it } from "vitest";
import { looksLikeMail } from "@/lib/ai/files/mail/looks-like-mail";
import { readMail } from "@/lib/ai/files/mail/read-mail";

const mail = (subject: string, parts: string[]) =>
  [
    "From: Ada <ada@example.com>",
    `Subject: ${subject}`,
    "MIME-Version: 1.0",
    `Content-Type: multipart/mixed; boundary="${subject}"`,
    "",
    ...parts.flatMap((part) => [`--${subject}`, part]),
    `--${subject}--`,
    "",
  ].join("\r\n");
const text = (words: string) => `Content-Type: text/plain\r\n\r\n${words}`;

describe("a mail as Apple's programs keep it", () => {
  it("is read without what they know of it", async () => {
    const plain = `${mail("One", [text("The text.")])}`;
    const kept = `${plain.length}      \n${plain}<?xml version="1.0"?><plist><dict/></plist>\n`;
    expect(looksLikeMail(kept)).toBe(true);
    const read = await readMail(Buffer.from(kept), {});
    expect(read?.text).toBe("From: Ada <ada@example.com>\nSubject: One\n\nThe text.");
  });
});

describe("what came along with a mail", () => {
  it("is read where it is a mail in a mail, ten deep and no deeper: what lies below is named", async () => {
    let inner = mail("Mail0", [text("The first.")]);
    for (let depth = 1; depth <= 12; depth++) {
      inner = mail(`Mail${depth}`, [text(`Forwarded ${depth}.`), `Content-Type: message/rfc822\r\n\r\n${inner}`]);
    }
    const read = await readMail(Buffer.from(inner), {});
    expect(read?.text.match(/\[Attached mail\]/g)).toHaveLength(10);
    expect(read?.text).toContain("Subject: Mail2");
    expect(read?.text).not.toContain("Subject: Mail1\n");
    expect(read?.skipped).toEqual({ embeddedFiles: 1 });
  });

  it("is no signature of its sender, which says nothing to anybody", async () => {
    const attached = (type: string, name: string) =>
      `Content-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\n\r\nx`;
    const read = await readMail(
      Buffer.from(
        mail("Signed", [
          text("Hello"),
          attached("application/pkcs7-signature", "smime.p7s"),
          attached("application/pgp-signature", "signature.asc"),
        ]),
      ),
      {},
    );
    expect(read).toEqual({ text: "From: Ada <ada@example.com>\nSubject: Signed\n\nHello", skipped: {} });
  });

  it("is a photo where it was attached as one, and none where it stands in the text", async () => {
    const photo = (disposition: string) =>
      `Content-Type: image/png\r\nContent-Disposition: ${disposition}; filename="photo.png"\r\n\r\nx`;
    const read = await readMail(Buffer.from(mail("Photos", [text("Hello"), photo("inline"), photo("attachment")])), {});
    expect(read?.text).toMatch(/\[Attachments, not here\]\nphoto\.png$/);
    expect(read?.skipped).toEqual({ pictures: 1, embeddedFiles: 1 });
  });
});
