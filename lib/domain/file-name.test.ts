import { describe, expect, it } from "vitest";
import { workMs } from "@/e2e/support/work-time";
import { MAX_FILE_NAME_BYTES, safeDisplayName } from "@/lib/domain/file-name";

const CASES: [given: string | undefined, shown: string][] = [
  ["report.pdf", "report.pdf"],
  ["../../etc/passwd", "passwd"],
  ["..\\..\\windows\\system32\\cmd.exe", "cmd.exe"],
  ["C:\\fakepath\\photo.png", "photo.png"],
  ["/absolute/path.txt", "path.txt"],
  ["..", "file"],
  [".", "file"],
  ["", "file"],
  [undefined, "file"],
  ["   ", "file"],
  ["dir/", "file"],
  ["\u3164", "file"],
  ["\u200D \u00AD", "file"],
  ["\u3164.txt", "\u3164.txt"],
  [".env", ".env"],
  ["trailing. . ", "trailing"],
  ["a\r\nSet-Cookie: x=1.txt", "aSet-Cookie: x=1.txt"],
  ["nul\u0000byte.txt", "nulbyte.txt"],
  ["invoice\u202Efdp.exe", "invoicefdp.exe"],
  ["zero\u200Bwidth\uFEFF.txt", "zerowidth.txt"],
  ["line\u2028sep\u2029.txt", "linesep.txt"],
  ["Übersicht 日本語.txt", "Übersicht 日本語.txt"],
  ["e\u0301te\u0301.txt", "été.txt"],
  ["👩‍💻.md", "👩‍💻.md"],
  ["lone\uD800.txt", "lone\uFFFD.txt"],
  ["  many   spaces .txt", "many spaces .txt"],
  ["<img src=x onerror=alert(1)>.html", "<img src=x onerror=alert(1)>.html"],
];

describe("safeDisplayName", () => {
  it.each(CASES)("shows %j as %j", (given, shown) => {
    expect(safeDisplayName(given)).toBe(shown);
  });

  it.each(["a", "é", "日", "👩"])(
    "cuts a long name of %s at 255 bytes, between characters, and keeps the ending",
    (character) => {
      const shown = safeDisplayName(`${character.repeat(400)}.pdf`);
      expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(MAX_FILE_NAME_BYTES);
      expect(Buffer.byteLength(shown)).toBeGreaterThan(MAX_FILE_NAME_BYTES - 4);
      expect(shown).toMatch(new RegExp(`^${character}+\\.pdf$`, "u"));
    },
  );

  it("leaves a name of exactly 255 bytes whole, and cuts a longer one no shorter", () => {
    const longest = `${"a".repeat(251)}.pdf`;
    expect(safeDisplayName(longest)).toBe(longest);
    expect(safeDisplayName(`a${longest}`)).toBe(longest);
    // Bytes count, not characters.
    expect(safeDisplayName(`${"日".repeat(100)}.pdf`)).toBe(`${"日".repeat(83)}.pdf`);
  });

  it("never lets a separator, a control character or an empty name through", () => {
    for (let code = 0; code < 0x3000; code += 1) {
      const shown = safeDisplayName(`${String.fromCodePoint(code)}../x${String.fromCodePoint(code)}`);
      expect(shown).not.toMatch(/[/\\]|\p{Cc}/u);
      expect(shown).not.toBe("");
    }
  });

  it("is made at once of as many dots as the head of a part holds, for each file of a batch", async () => {
    const name = `${".".repeat(16_000)}x`;
    const make = () => {
      for (let file = 0; file < 50; file++) safeDisplayName(name);
    };
    expect(await workMs(make)).toBeLessThan(1_500);
  });
});
