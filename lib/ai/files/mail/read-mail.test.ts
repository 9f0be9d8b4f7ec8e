import { describe, expect, it } from "vitest";
import { looksLikeMail } from "@/lib/ai/files/mail/looks-like-mail";
import { readMail } from "@/lib/ai/files/mail/read-mail";
import { detect } from "@/lib/ai/files/samples/sample-text";

const HEAD = [
  "From: =?UTF-8?Q?J=C3=BCrgen_M=C3?= =?UTF-8?Q?=BCller?= <j@example.com>",
  "To: =?iso-8859-1?B?S/ZsbiBHbWJI?= <k@example.com>",
];
const mail = (lines: string[]) => Buffer.from([...HEAD, "MIME-Version: 1.0", ...lines].join("\r\n"), "latin1");
const part = (type: string, lines: string[], more: string[] = []) => [
  "--B",
  `Content-Type: ${type}`,
  ...more,
  "",
  ...lines,
];

describe("readMail", () => {
  it("reads a mail as people do: its fields, its page in its own letters, and what came along by name", async () => {
    const alternatives = [
      "--B",
      'Content-Type: multipart/alternative; boundary="C"',
      "",
      "--C",
      "Content-Type: text/plain",
      "",
      "See the page",
      "--C",
      'Content-Type: text/html; charset="windows-1252"',
      "Content-Transfer-Encoding: quoted-printable",
      "",
      "<p>Gr=F6=DFe: 12 =80</p><table><tr><td>Bolts</td><td>=",
      "3</td></tr></table><img src=3Dcid:1>",
      "--C--",
    ];
    const bytes = mail([
      "Subject: Order",
      "\t17",
      'Content-Type: multipart/mixed; boundary="B"',
      "",
      "For programs that know no parts",
      ...alternatives,
      ...part("image/png", ["AAAA"], ["Content-ID: <1>"]),
      ...part(
        "application/pdf",
        ["JVBERi0="],
        ["Content-Disposition: attachment;", " filename*0*=UTF-8''%C3%84nderung%20;", " filename*1=17.pdf"],
      ),
      ...part("text/calendar", ["SUMMARY:Delivery of", "  bolts"]),
      ...part("application/ics", ["SUMMARY:Delivery of", "  bolts"]),
      ...part("message/rfc822", [
        "From: Ben <b@example.com>",
        "Subject: Before",
        "Content-Transfer-Encoding: base64",
        "",
        "V2h5Pw==",
      ]),
      "--B--",
    ]);
    expect(await readMail(bytes, {})).toEqual({
      text: [
        "From: Jürgen Müller <j@example.com>\nTo: Köln GmbH <k@example.com>\nSubject: Order 17",
        "Größe: 12 €\n\nBolts | 3",
        "[Calendar]\nSUMMARY:Delivery of bolts",
        "[Attached mail]\nFrom: Ben <b@example.com>\nSubject: Before",
        "Why?",
        "[Attachments, not here]\nÄnderung 17.pdf",
      ].join("\n\n"),
      skipped: { pictures: 1, embeddedFiles: 1 },
    });
  });

  it.each([
    ["of one part", [""], "Gr\xc3\xb6\xc3\x9fe", "Größe"],
    [
      "whose page is empty",
      [
        'Content-Type: multipart/alternative; boundary="B"',
        "",
        ...part("text/plain", ["Plain"]),
        ...part("text/html", ["<p></p>"]),
      ],
      "",
      "Plain",
    ],
    [
      "that breaks off",
      ['Content-Type: multipart/mixed; boundary="B"', "", ...part("text/plain", ["Begun"])],
      "",
      "Begun",
    ],
    ["whose letters nobody names", ["Content-Type: text/plain", ""], "12 St\xfchle f\xfcr 9 \x80", "12 Stühle für 9 €"],
    [
      "that is named UTF-8",
      ["Content-Type: text/plain; charset=utf-8", ""],
      "Gr\xf6\xdfe f\xfcr 9 \x80",
      "Größe für 9 €",
    ],
    ["with an empty name", ['Content-Type: text/plain; charset=""', ""], "Gr\xf6\xdfe", "Größe"],
    [
      "that is named UTF-8 and has nothing but a broken character",
      ["Content-Type: text/plain; charset=utf-8", ""],
      "Gr\xc3\xb6\xc3\x9fe\xc3",
      "Größe\ufffd",
    ],
    [
      "without a type, of Russian letters",
      [""],
      "\xf5\xd7\xc1\xd6\xc1\xc5\xcd\xd9\xc5 \xc7\xcf\xd3\xd0\xcf\xc4\xc1",
      "Уважаемые господа",
    ],
    [
      "of named letters and others",
      [
        'Content-Type: multipart/mixed; boundary="B"',
        "",
        ...part("text/plain; charset=utf-8", ["Gr\xc3\xb6\xc3\x9fe"]),
        ...part("text/plain; format=fixed", ["Gr=F6=DFe"], ["Content-Transfer-Encoding: quoted-printable"]),
      ],
      "--B--",
      "Größe\n\nGröße",
    ],
  ])("reads one %s", async (_name, lines, last, text) =>
    expect((await readMail(mail([...lines, last]), {}))?.text.split("\n\n").slice(1).join("\n\n")).toBe(text),
  );

  it.each([
    [
      "of one text with a broken character",
      [""],
      `${"Gr\xc3\xb6\xc3\x9fe ".repeat(8)}\xc3 Ende`,
      `${"Größe ".repeat(8)}\ufffd Ende`,
    ],
    [
      "beside a text that came broken",
      [
        'Content-Type: multipart/alternative; boundary="B"',
        "",
        ...part("text/plain; charset=utf-8", ["Gr\xef\xbf\xbdße"]),
        ...part("text/html", ["<p>Gr\xc3\xb6\xc3\x9fe</p>"]),
      ],
      "--B--",
      "Größe",
    ],
    [
      "of a text that is named ASCII",
      ["Content-Type: text/plain; charset=us-ascii", ""],
      "Gr\xc3\xb6\xc3\x9fe",
      "Größe",
    ],
    [
      "of a page that is named Latin-1",
      ["Content-Type: text/html; charset=iso-8859-1", "Content-Transfer-Encoding: quoted-printable", ""],
      "<p>Gr=C3=B6=C3=9Fe</p>",
      "Größe",
    ],
  ])("reads UTF-8 that nobody names as that: %s", async (_name, lines, last, text) =>
    expect((await readMail(mail([...lines, last]), {}))?.text.split("\n\n").slice(1).join("\n\n")).toBe(text),
  );

  it.each([
    ["DOS", ["Content-Type: text/plain; charset=cp850", ""], "Gr\x94\xe1e \x9e \xf2", "Größe × ‗"],
    ["American DOS", ['Content-Type: text/plain; charset="IBM437"', ""], "Gr\x94\xe1e \x9c", "Größe £"],
    ["DOS with the euro", ["Content-Type: text/plain; charset=IBM00858", ""], "9 \xd5", "9 €"],
    ["UTF-7", ["Content-Type: text/plain; charset=UTF-7", ""], "Gr+APYA3w-e f+APw-r 9 +IKw +- 1", "Größe für 9 € + 1"],
    [
      "DOS in one part and others beside it",
      [
        'Content-Type: multipart/mixed; boundary="B"',
        "",
        ...part("text/plain; charset=ibm850", ["Gr=94=E1e"], ["Content-Transfer-Encoding: quoted-printable"]),
        ...part("text/plain; charset=utf-8", ["Gr\xc3\xb6\xc3\x9fe"]),
        ...part("message/rfc822", ["From: b", "Content-Type: text/plain; charset=cp850", "", "Gr\x94\xe1e"]),
      ],
      "--B--",
      "Größe\n\nGröße\n\n[Attached mail]\nFrom: b\n\nGröße",
    ],
  ])("reads letters of old programs: %s", async (_name, lines, last, text) =>
    expect((await readMail(mail([...lines, last]), {}))?.text.split("\n\n").slice(1).join("\n\n")).toBe(text),
  );

  it("reads fields in letters of old programs", async () => {
    const head = "From: =?cp850?Q?J=94rg?= <a+b@example.com>\nSubject: =?utf-7?Q?M+AOQ-rz?= =?IBM437?B?lIGE?=";
    expect((await readMail(Buffer.from(`${head}\nContent-Type: text/plain; charset=utf-7\n\nHi`), {}))?.text).toBe(
      "From: Jörg <a+b@example.com>\nSubject: Märzöüä\n\nHi",
    );
  });

  it("reads fields in bare bytes in the letters that they are in", async () => {
    const bytes = Buffer.from("From: J\xf6rg\nSubject: M\xe4rz\nContent-Type: text/plain\n\nGr\xfc\xdfe", "latin1");
    expect((await readMail(bytes, {}))?.text).toBe("From: Jörg\nSubject: März\n\nGrüße");
  });

  it("reads all mails of a mailbox", async () => {
    const one = (name: string) =>
      `From ${name} Tue Nov 24 10:00:00 2026\nFrom: ${name}\nMessage-ID: <1>\n\nHi\n\nFrom here on\n\n`;
    expect(looksLikeMail(one("Ada"))).toBe(true);
    expect((await readMail(Buffer.from(one("Ada") + one("Ben")), {}))?.text).toBe(
      ["Ada", "Ben"].map((name) => `From: ${name}\n\nHi\n\nFrom here on`).join("\n\n---\n\n"),
    );
  });

  it("is told from texts that only begin like one", async () => {
    const bytes = mail(["Subject: Hi", "", "Text"]);
    expect(await detect(bytes, "message.bin")).toMatchObject({ kind: "mail" });
    expect(looksLikeMail("From: a@example.com\nContent-Type: text/plain\n\nHi")).toBe(true);
    expect(looksLikeMail("From: the board\nTo: all\n\nMessage-ID: none\n")).toBe(false);
    expect(looksLikeMail("Received: yes\n")).toBe(false);
  });

  it.each([
    ["whose parts hold each other without end", "\n--B\nContent-Type: multipart/mixed; boundary=B\n"],
    ["of more fields than any has", "x: y\n"],
  ])("is no mail when it is one %s", async (_name, piece) => {
    const head = "From: a@example.com\nContent-Type: multipart/mixed; boundary=B\n";
    expect(await readMail(Buffer.from(head + piece.repeat(300_000)), {})).toBeUndefined();
  });

  it("ends where reading takes too long, for what it holds", async () => {
    const endless = Buffer.from(`From: a@example.com\n\n${"\n".repeat(16_000_000)}`);
    const refused = readMail(endless, { deadlineMs: 500 });
    await expect(refused).rejects.toMatchObject({
      code: "UNSUPPORTED_FILE",
      message: expect.stringMatching(/too complex/),
    });
  });

  it("tells a mail in no time from two megabytes that begin like one", () => {
    for (const piece of ["a: b\n", "\n ", "a:", "= \t"]) {
      expect(looksLikeMail(`From: x\n${piece.repeat(500_000)}`.slice(0, 32_768))).toBe(false);
    }
  });
});
