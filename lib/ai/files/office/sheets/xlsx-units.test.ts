import { utils, write } from "@e965/xlsx";
import { expect, it } from "vitest";
import { readOffice } from "@/lib/ai/files/office/read-office";

async function shown(code: string, values: number[], bookType: "xlsx" | "biff8" | "ods" = "xlsx"): Promise<string> {
  const sheet = utils.aoa_to_sheet([values.map((v) => ({ t: "n", v, z: code }))]);
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, "A");
  const document = await readOffice(write(book, { type: "buffer", bookType }), { maxCharacters: 1_000 });
  return document.sections.map(({ text }) => text).join();
}

it.each<[code: string, values: number[], text: string]>([
  ['0"%"', [15, -2.5], "15%,-2.5%"],
  ['0.00" kg"', [1.23456, 0], "1.23456 kg,0 kg"],
  ["0\\ \\°\\C", [-3], "-3 °C"],
  ['"Nr. "#,##0', [1234], "Nr. 1234"],
  ['# ##0.00 "m²"', [30], "30 m²"],
  ['General" Stk"', [0.1 + 0.2], "0.3 Stk"],
])("a number in %s is shown with all its digits and its unit", async (code, values, text) => {
  expect(await shown(code, values)).toBe(text);
});

it("a number below zero keeps its sign, unless its format says it in a word of its own", async () => {
  expect(await shown('0" kg";[Red]0" kg"', [-5])).toBe("-5 kg");
  expect(await shown('0" kg";(0" kg");"-"', [5, -5, 0])).toBe("5 kg,-5 kg,0");
  expect(await shown('_-* #,##0\\ "kg"_-;\\-* #,##0\\ "kg"_-;_-* "-"??\\ "kg"_-;_-@_-', [-5, 0])).toBe("-5 kg,0");
  expect(await shown('#,##0.00" S";#,##0.00" H"', [5, -5])).toBe("5 S,5 H");
});

it.each([
  ['0"000"', "5"],
  ['[<1000]0" m";0" km"', "5"],
  ['# ?/?" cup"', "5"],
  ['0.00E+00" m"', "5"],
])("a number in %s stays bare where that is not sure to be its unit", async (code, text) => {
  expect(await shown(code, [5])).toBe(text);
});

it.each(["biff8", "ods"] as const)("units are shown in other workbooks too: %s", async (bookType) => {
  expect(await shown('0.00" kg"', [1.5], bookType)).toBe("1.5 kg");
});

it("a format longer than any holds nobody up", async () => {
  const startedAt = performance.now();
  expect(await shown(`${" ".repeat(100_000)}_a"kg`, [5])).toBe("5");
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
