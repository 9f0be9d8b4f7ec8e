import { beforeEach, describe, expect, it, vi } from "vitest";
import { ID_PREFIXES, type IdKind, isId } from "@/lib/domain/ids";

const KINDS = Object.keys(ID_PREFIXES) as IdKind[];
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";

let newId: typeof import("@/lib/domain/ids").newId;

// Ids never go back in time, so each test has a module of its own.
beforeEach(async () => {
  vi.resetModules();
  ({ newId } = await import("@/lib/domain/ids"));
});

/** The UUID inside, as 32 hexadecimal digits. */
function uuidOf(id: string): string {
  let value = 0n;
  for (const digit of id.slice(-26)) value = value * 32n + BigInt(DIGITS.indexOf(digit));
  return value.toString(16).padStart(32, "0");
}

describe("newId", () => {
  it.each(KINDS)("makes a %s id that isId knows", (kind) => {
    const id = newId(kind);
    expect(id.startsWith(`${ID_PREFIXES[kind]}_`)).toBe(true);
    expect(isId(kind, id)).toBe(true);
  });

  it("holds a UUID of version 7 with the time of its making", () => {
    const nowMs = Date.UTC(2100, 0, 1);
    const uuid = uuidOf(newId("session", nowMs));
    expect(Number.parseInt(uuid.slice(0, 12), 16)).toBe(nowMs);
    expect(uuid[12]).toBe("7");
    expect("89ab").toContain(uuid[16]);
  });

  it("rises strictly, also within a millisecond, past its counter and when the clock is set back", () => {
    const start = Date.UTC(2110, 0, 1);
    const times = [...Array<number>(10_000).fill(start), start - 60_000, start - 1, start + 1, start + 60_000];
    const ids = times.map((nowMs) => newId("turn", nowMs));
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
    // Back on the clock as soon as it has caught up.
    expect(Number.parseInt(uuidOf(ids.at(-1) ?? "").slice(0, 12), 16)).toBe(start + 60_000);
  });

  it("never makes the same id twice", () => {
    expect(new Set(Array.from({ length: 50_000 }, () => newId("outbox"))).size).toBe(50_000);
  });

  it("draws every random bit", () => {
    const uuids = Array.from({ length: 2_000 }, () => BigInt(`0x${uuidOf(newId("file"))}`));
    for (let bit = 0n; bit < 62n; bit++) {
      const ones = uuids.filter((uuid) => (uuid >> bit) & 1n).length;
      expect(ones, `bit ${bit}`).toBeGreaterThan(800);
      expect(ones, `bit ${bit}`).toBeLessThan(1_200);
    }
  });
});

describe("isId", () => {
  const suffix = "01h455vb4pex5vsknk084sn02q";

  it.each([
    ["the right form", `ses_${suffix}`, true],
    ["another kind", `trn_${suffix}`, false],
    ["no prefix", suffix, false],
    ["capitals", `ses_${suffix.toUpperCase()}`, false],
    ["a letter that base32 lacks", `ses_${suffix.replace("v", "u")}`, false],
    ["more than 128 bits", `ses_8${suffix.slice(1)}`, false],
    ["too short", `ses_${suffix.slice(1)}`, false],
    ["too long", `ses_${suffix}0`, false],
    ["a line after it", `ses_${suffix}\n`, false],
    ["nothing", "", false],
  ])("says of %s", (_name, text, expected) => {
    expect(isId("session", text)).toBe(expected);
  });
});
