import { describe, expect, it } from "vitest";
import { looksLikeMail, mailToText } from "@/lib/ai/files/mail-to-text";
import { detect } from "@/lib/ai/files/sample-text";

const HEAD = [
  "From: =?UTF-8?Q?J=C3=BCrgen_M=C3?= =?utf-8?Q?=BCller?= <j@example.com>",
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

describe("mailToText", () => {
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
      ...part("message/rfc822", [
        "From: Ben <b@example.com>",
        "Subject: Before",
        "Content-Transfer-Encoding: base64",
        "",
        "V2h5Pw==",
      ]),
      "--B--",
    ]);
    expect(await mailToText(bytes)).toEqual({
      text: [
        "From: Jürgen Müller <j@example.com>\nTo: Köln GmbH <k@example.com>\nSubject: Order 17",
        "Größe: 12 €\n\nBolts | 3",
        "[Attached mail]\nFrom: Ben <b@example.com>\nSubject: Before",
        "Why?",
        "[Attachments, not here]\nÄnderung 17.pdf",
      ].join("\n\n"),
      skipped: { pictures: 1, embeddedFiles: 1 },
    });
  });

  it.each([
    ["of one part, in whatever its bytes say", [""], "Gr\xc3\xb6\xc3\x9fe", "Größe"],
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
  ])("reads one %s", async (_name, lines, last, text) =>
    expect((await mailToText(mail([...lines, last]))).text.split("\n\n").slice(1).join("\n\n")).toBe(text),
  );

  it("is told from texts that only begin like one", async () => {
    const bytes = mail(["Subject: Hi", "", "Text"]);
    expect(await detect(bytes, "message.bin")).toMatchObject({ kind: "mail" });
    expect(looksLikeMail("From: the board\nTo: all\n\nMessage-ID: none\n")).toBe(false);
    expect(looksLikeMail("Received: yes\n")).toBe(false);
  });

  it.each([
    "--B\n",
    "--B\nContent-Type: multipart/mixed; boundary=B\n\n",
    "=?utf-8?Q?=",
    "a: b\n",
    "=\n",
    "= \t",
    "\n ",
  ])(
    "comes to the end of two megabytes of %j",
    // Work that grows with the square of the length would outlast the test's own time many times over.
    async (piece) => {
      const text = piece.repeat(Math.ceil(2_000_000 / piece.length));
      for (const head of [
        "Subject: x",
        "Content-Type: multipart/mixed; boundary=B\n\n",
        "Content-Transfer-Encoding: quoted-printable\n\n",
      ])
        expect(typeof (await mailToText(Buffer.from(head + text))).text).toBe("string");
      expect(typeof looksLikeMail(`From: x\n${text}`.slice(0, 32_768))).toBe("boolean");
    },
  );
});
