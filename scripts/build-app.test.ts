import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { buildIfChanged } from "@/scripts/support/build-app";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "service-build-"));
  vi.stubEnv("NEXT_DIST_DIR", folder);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

describe("the build", () => {
  it("is made once for starts of one checkout at the same time, and not again while the sources are the same", async () => {
    const build = vi.fn(async () => {});
    await Promise.all([buildIfChanged(build), buildIfChanged(build)]);
    await buildIfChanged(build);
    expect(build).toHaveBeenCalledTimes(1);
  });

  it("that failed is begun anew by the start that waited for it, and by the next", async () => {
    const build = vi.fn().mockRejectedValueOnce(new Error("disk full")).mockResolvedValue(undefined);
    const ends = await Promise.allSettled([buildIfChanged(build), buildIfChanged(build)]);
    expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await buildIfChanged(build);
    expect(build).toHaveBeenCalledTimes(2);
  });

  it("takes away the copies of uploaded pictures that earlier versions kept beside their files", async () => {
    const images = join(folder, "cache", "images");
    mkdirSync(images, { recursive: true });
    writeFileSync(join(images, "copy"), "a picture");
    await buildIfChanged(async () => {});
    expect(existsSync(images)).toBe(false);
  });
});
