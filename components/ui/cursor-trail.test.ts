import { describe, expect, it } from "vitest";
import type { AddressParams } from "@/components/ui/address";
import { cursorHrefs, cursorOf } from "@/components/ui/cursor-trail";

const paramsOf = (href = ""): AddressParams => Object.fromEntries(new URL(href, "http://own.invalid").searchParams);

describe("a way through a list by cursors", () => {
  it("goes on by the list's next cursor and one step back at a time, with the filters kept", () => {
    const start: AddressParams = { status: "failed" };
    expect(cursorOf(start)).toBeUndefined();
    const first = cursorHrefs("/list", start, "aaa");
    expect(first.previousHref).toBeUndefined();
    const second = cursorHrefs("/list", paramsOf(first.nextHref), "bbb");
    expect(cursorOf(paramsOf(second.nextHref))).toBe("bbb");
    const third = cursorHrefs("/list", paramsOf(second.nextHref), null);
    expect(third.nextHref).toBeUndefined();
    expect(cursorOf(paramsOf(third.previousHref))).toBe("aaa");
    const back = cursorHrefs("/list", paramsOf(third.previousHref), "bbb");
    expect(back.previousHref).toBe("/list?status=failed");
  });

  it("begins at the start where an address names no cursor, or half a way", () => {
    expect(cursorOf({ cursor: "" })).toBeUndefined();
    expect(cursorHrefs("/list", { cursor: "" }, null)).toEqual({});
    expect(cursorOf({ cursor: "aaa~" })).toBe("aaa");
  });

  it("keeps the address short however far somebody goes", () => {
    let href = "/list";
    for (let step = 0; step < 100; step += 1) {
      href = cursorHrefs("/list", paramsOf(href), `${step}${"x".repeat(90)}`).nextHref ?? "";
    }
    expect(href.length).toBeLessThan(4_000);
    expect(cursorOf(paramsOf(href))).toMatch(/^99x/);
  });
});
