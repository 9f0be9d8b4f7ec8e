import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { leaveOutData } from "@/lib/ai/files/leave-out-data";

const bytes = Buffer.concat(
  Array.from({ length: 200 }, (_, index) => createHash("sha256").update(`${index}`).digest()),
);
const base64 = bytes.toString("base64");
const lines = (end: string) => base64.replace(/.{76}/g, `$&${end}`);

describe("leaveOutData", () => {
  it.each([
    ["in one row", base64],
    ["in lines", lines("\r\n ")],
    ["in lines of JSON", lines("\\n")],
    ["in lines of XML", lines("&#13;\n")],
    ["as hex", bytes.toString("hex")],
  ])("leaves out a file %s, and nothing beside it", async (_name, data) => {
    const text = (piece: string) => `<Note>For Müller</Note><File>${piece}</File><Total>119.00</Total>`;
    expect(await leaveOutData(text(data))).toEqual({ text: text("[embedded data, not here]"), count: 1 });
  });

  it.each([
    ["a file of nothing else", lines("\n")],
    ["a key", `-----BEGIN CERTIFICATE-----\n${lines("\n").slice(0, 2_500)}\n-----END CERTIFICATE-----`],
    ["a sequence of letters", `>gene\n${"ACGTTGCA".repeat(1_000)}`],
    ["a list of hashes", `sha256\n${bytes.toString("hex").replace(/.{64}/g, "$&\n")}`],
    ["a long number", `pi\n3.${"1415926535".repeat(1_000)}`],
    ["words behind a long one", `${"a1".repeat(30)} and then ${"some words of a text ".repeat(500)}`],
  ])("keeps %s", async (_name, text) => expect(await leaveOutData(text)).toEqual({ text, count: 0 }));

  it("takes little time for the largest, and for what only begins like one", async () => {
    const started = performance.now();
    expect((await leaveOutData(`Scan:\n${lines("\n").replaceAll("=", "A").repeat(1_900)}`)).count).toBe(1);
    for (const piece of ["a1".repeat(19), `${"a1".repeat(20)} `, "\n", "a1"])
      await leaveOutData(`${piece}!`.repeat(100_000));
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
