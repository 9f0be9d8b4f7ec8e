import { describe, expect, it } from "vitest";
import { memoryWarning, sparingBuild } from "@/scripts/support/build-memory.mjs";

const GB = 1024 ** 3;

describe("a build on a machine with little memory", () => {
  it.each([1, 2, 3.8])("of %d GB keeps nothing for later and runs in one process", (gigabytes) => {
    expect(sparingBuild(gigabytes * GB)).toMatchObject({ turbopackFileSystemCacheForBuild: false, cpus: 1 });
  });

  it.each([4, 64])("of %d GB takes what it likes", (gigabytes) => {
    expect(sparingBuild(gigabytes * GB)).toEqual({});
  });

  it("is warned of where memory and swap have no room for it", () => {
    expect(memoryWarning(0.5 * GB)).toMatch(/512 MB are free.*add swap/);
    expect(memoryWarning(-1)).toMatch(/ 0 MB are free/);
  });

  it("is not warned of with room for it", () => {
    expect(memoryWarning(1.5 * GB)).toBeUndefined();
  });
});
