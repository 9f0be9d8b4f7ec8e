import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { countTurns } from "@/e2e/support/count-turns";
import { workMs } from "@/e2e/support/work-time";
import { leaveOutData } from "@/lib/ai/files/text/leave-out-data";

const bytes = Buffer.concat(
  Array.from({ length: 200 }, (_, index) => createHash("sha256").update(`${index}`).digest()),
);
const base64 = bytes.toString("base64");
const list = (line: (hash: string, index: number) => string) =>
  `List\n${Array.from({ length: 200 }, (_, index) => line(createHash("sha256").update(`${index}`).digest("hex"), index)).join("\n")}`;
const lines = (end: string) => base64.replace(/.{76}/g, `$&${end}`);

describe("leaveOutData", () => {
  it.each([
    ["in one row", base64],
    ["in lines", lines("\r\n ")],
    ["in lines of JSON", lines("\\n")],
    ["in lines of XML", lines("&#13;\n")],
    ["as hex", bytes.toString("hex")],
    ["as hex of a database", `0x${bytes.toString("hex")}`],
    ["in lines behind a name", `${base64.slice(0, 60)}\n ${base64.slice(60).replace(/.{74}/g, "$&\n ")}`],
  ])("leaves out a file %s, and nothing beside it", async (_name, data) => {
    const text = (piece: string) => `<Note>For Müller</Note><File>${piece}</File><Total>119.00</Total>`;
    expect(await leaveOutData(text(data))).toEqual({ text: text("[embedded data, not here]"), count: 1 });
  });

  it.each([
    ["a file of nothing else", lines("\n")],
    ["a key", `-----BEGIN CERTIFICATE-----\n${lines("\n").slice(0, 2_500)}\n-----END CERTIFICATE-----`],
    ["a sequence of letters", `>gene\n${"ACGTTGCA".repeat(1_000)}`],
    ["a list of hashes", `sha256\n${bytes.toString("hex").replace(/.{64}/g, "$&\n")}`],
    ["a list of addresses", list((hash) => `0x${hash.slice(0, 20)}${hash.slice(20, 40).toUpperCase()}`)],
    ["a list of long ones in small letters", list((hash) => `bc1p${hash.slice(0, 58)}`)],
    ["a list of keys", list((hash) => Buffer.from(hash).toString("base64").slice(0, 48))],
    ["records of a programmer of chips", list((hash) => `S325${hash.slice(0, 60).toUpperCase()}`)],
    [
      "a list of keys of one kind",
      list((hash) => `AAAAC3NzaC1lZDI1NTE5AAAAI${Buffer.from(hash).toString("base64").slice(0, 43)}`),
    ],
    ["a list of paths", list((hash, index) => `/home/Maria/Documents/${"Invoices/".repeat(4 + (index % 3))}${hash}`)],
    ["a long number", `pi\n3.${"1415926535".repeat(1_000)}`],
    ["words behind a long one", `${"a1".repeat(30)} and then ${"some words of a text ".repeat(500)}`],
  ])("keeps %s", async (_name, text) => expect(await leaveOutData(text)).toEqual({ text, count: 0 }));

  it.each([
    ["in one row", "a1".repeat(2_000_000)],
    ["in rows", `${"a1".repeat(2_500)}!`.repeat(800)],
    ["of short words", "ab ".repeat(1_000_000)],
    ["of lines without letters", "-\n".repeat(2_000_000)],
  ])("lets others work while it goes through a long text %s", async (_name, text) =>
    expect(await countTurns(() => leaveOutData(text))).toBeGreaterThan(20),
  );

  it("takes little time for the largest, and for what only begins like one", async () => {
    const leaveOut = async () => {
      expect((await leaveOutData(`Scan:\n${lines("\n").replaceAll("=", "A").repeat(1_900)}`)).count).toBe(1);
      for (const piece of ["a1".repeat(19), `${"a1".repeat(20)} `, "\n", "a1"])
        await leaveOutData(`${piece}!`.repeat(100_000));
    };
    expect(await workMs(leaveOut)).toBeLessThan(5_000);
  });
});
