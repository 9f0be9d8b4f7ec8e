import { describe, expect, it } from "vitest";
import { attachmentDisposition } from "@/lib/domain/content-disposition";

const CASES: [name: string, header: string][] = [
  ["report.pdf", `attachment; filename="report.pdf"; filename*=UTF-8''report.pdf`],
  ["two words.txt", `attachment; filename="two words.txt"; filename*=UTF-8''two%20words.txt`],
  ["Zähler.csv", `attachment; filename="Z_hler.csv"; filename*=UTF-8''Z%C3%A4hler.csv`],
  ["日本.md", `attachment; filename="__.md"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.md`],
  ["😀.md", `attachment; filename="_.md"; filename*=UTF-8''%F0%9F%98%80.md`],
  [`a"b\\c.txt`, `attachment; filename="a_b_c.txt"; filename*=UTF-8''a%22b%5Cc.txt`],
  ["100%.txt", `attachment; filename="100_.txt"; filename*=UTF-8''100%25.txt`],
  ["it's (1)*.txt", `attachment; filename="it's (1)*.txt"; filename*=UTF-8''it%27s%20%281%29%2A.txt`],
  ["a\r\nX-Evil: 1", `attachment; filename="a__X-Evil: 1"; filename*=UTF-8''a%0D%0AX-Evil%3A%201`],
  [
    `x"; filename="evil.exe`,
    `attachment; filename="x_; filename=_evil.exe"; filename*=UTF-8''x%22%3B%20filename%3D%22evil.exe`,
  ],
  ["lone\uDC00", `attachment; filename="lone_"; filename*=UTF-8''lone%EF%BF%BD`],
];

describe("attachmentDisposition", () => {
  it.each(CASES)("words %j as one attachment", (name, header) => {
    expect(attachmentDisposition(name)).toBe(header);
  });

  it("gives a valid header that carries the exact name, for every character", () => {
    for (let code = 0; code < 0xd800; code += 7) {
      const name = `a${String.fromCodePoint(code)}"z.txt`;
      const header =
        new Headers({ "content-disposition": attachmentDisposition(name) }).get("content-disposition") ?? "";
      const [, plain, extended] =
        /^attachment; filename="([^"\\]*)"; filename\*=UTF-8''([\w!#$&+.^`|~%-]+)$/.exec(header) ?? [];
      expect(plain).toBeDefined();
      expect(decodeURIComponent(extended ?? "")).toBe(name);
    }
  });
});
