import { describe, expect, it } from "vitest";
import { readMail } from "@/lib/ai/files/mail/read-mail";
import { sampleMail } from "@/lib/ai/files/samples/sample-mail";
import { blockOf, understandSample } from "@/lib/ai/files/samples/sample-understand";
import { sampleWinmail, wideText } from "@/lib/ai/files/samples/sample-winmail";

const TABLE = Buffer.from("a,b\n1,2");
const WIDE = 0x1f;
const BYTES = 0x102;
const OBJECT = 0x0d;

describe("a message as Outlook packs it for itself (winmail.dat)", () => {
  const inner = sampleWinmail(Buffer.from("Forwarded words."), 1252, [], [[WIDE, 0x0037, wideText("Inside")]]);
  const packed = sampleWinmail(
    Buffer.alloc(0),
    1251,
    [
      { title: "TABLE~1.CSV", data: TABLE, properties: [[WIDE, 0x3707, wideText("Prices of May.csv")]] },
      { title: "plain.csv", data: TABLE },
      { properties: [[OBJECT, 0x3701, Buffer.concat([Buffer.alloc(16), inner])]] },
    ],
    [
      [WIDE, 0x0037, wideText("Offer")],
      [WIDE, 0x0c1a, wideText("Ada")],
      [BYTES, 0x1013, Buffer.from("<p>Pay <b>77</b> &euro;</p>")],
    ],
  );
  const FILES = "[Attached file: Prices of May.csv]\na,b\n1,2\n\n[Attached file: plain.csv]\na,b\n1,2";
  const INSIDE = "[Attached mail]\nSubject: Inside\n\nForwarded words.";

  it("is read with its files and the messages in it", async () => {
    expect(blockOf(await understandSample(packed, { name: "winmail.dat" }))).toMatchObject({
      kind: "mail",
      text: expect.stringContaining(`From: Ada\nSubject: Offer\n\nPay 77 €\n\n${INSIDE}\n\n${FILES}`),
    });
  });

  it("is read where it came along with a mail, whose own text counts", async () => {
    const read = await understandSample(sampleMail([["winmail.dat", "application/ms-tnef", packed]]));
    expect(blockOf(read)?.text.trim()).toBe(
      `From: Ada <ada@example.com>\nSubject: Bill\n\nSee below.\n\n${INSIDE}\n\n${FILES}`,
    );
  });

  it("is read in the letters of its code page", async () => {
    const russian = Buffer.from("cff0e8e2e5f2", "hex");
    expect((await readMail(sampleWinmail(russian, 1251, []), {}))?.text).toBe("Привет");
    expect((await readMail(sampleWinmail(Buffer.from("Gr\xfc\xdfe", "latin1"), 99, []), {}))?.text).toBe("Grüße");
  });

  it("is read as far as it is there", async () => {
    for (let length = 7; length < packed.length; length += 131) {
      const read = await readMail(packed.subarray(0, length), {});
      expect(read?.text ?? "").not.toContain("\0");
    }
    expect((await readMail(packed.subarray(0, packed.length - 30), {}))?.text).toMatch(
      /Pay 77 €\n\n\[Attachments, not here\]\nPrices of May\.csv\nplain\.csv$/,
    );
  });
});
