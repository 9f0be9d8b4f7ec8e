import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { BOUNDARY, field, file, form, MEGABYTE, request } from "@/e2e/support/multipart-forms";
import { options, receive, save, useTestStore } from "@/e2e/support/multipart-stage";
import { AppError } from "@/lib/domain/errors";
import { receiveMultipart } from "@/lib/http/receive-multipart";
import type { IncomingFile } from "@/lib/http/receive-multipart-form";

const store = useTestStore();

const good = file("file", "good.txt", "good");

describe("a bad form", () => {
  it("throws what saving throws, and discards the files before it", async () => {
    const full = new AppError("SERVICE_UNAVAILABLE", "full");
    const saveFile = async (incoming: IncomingFile) => {
      if (incoming.index === 2) throw full;
      return save(incoming);
    };
    const body = form(good, good, file("file", "third", Buffer.alloc(5 * MEGABYTE)), good);
    await expect(receive(body, { saveFile, files: { field: "file", max: 4 } })).rejects.toBe(full);
    expect([store.kept.length, store.undone]).toEqual([0, 2]);
  });

  it("throws the first error, also when discarding fails", async () => {
    const discard = () => Promise.reject(new Error("discard failed"));
    await expect(receive(form(good, field("a", "1"), field("a", "2")), { discard })).rejects.toMatchObject({
      param: "a",
    });
  });

  it("does not hang when a file is not read to its end", async () => {
    const saveFile = async ({ stream }: IncomingFile) => {
      for await (const _chunk of stream) break;
      return 0;
    };
    await expect(
      receiveMultipart(
        request(Readable.from([form(file("file", "a", Buffer.alloc(5 * MEGABYTE)))])),
        options({ saveFile }),
      ),
    ).rejects.toThrow(/to its end/);
  });

  it("cut at any byte fails and leaves nothing", async () => {
    const body = form(field("prompt", "text"), file("file", "a.txt", "some content"), file("file", "b.txt", "more"));
    const end = body.indexOf(`--${BOUNDARY}--`) + BOUNDARY.length + 4;
    for (let length = 0; length < end; length += 1) {
      await expect(
        receive(body.subarray(0, length), { files: { field: "file", max: 2 }, chunkBytes: 50 }),
      ).rejects.toBeInstanceOf(AppError);
      expect(store.kept).toEqual([]);
    }
  });

  it("changed at random ends as a form or as a client's error, never as a hang or a crash", async () => {
    const body = form(field("prompt", "text"), file("file", "a.txt", "some content"), file("file", "b.txt", "more"));
    const outcomes = { taken: 0, refused: 0 };
    const below = seededRandom(20261120);
    for (let round = 0; round < 1500; round += 1) {
      const broken = Buffer.from(body);
      for (let change = 0; change < 1 + (round % 5); change += 1) {
        broken[below(broken.length)] = below(256);
      }
      store.kept = [];
      try {
        const { files } = await receive(broken, { files: { field: "file", max: 3 }, chunkBytes: 1 + (round % 90) });
        outcomes.taken += 1;
        expect(store.kept).toHaveLength(files.length);
      } catch (error) {
        outcomes.refused += 1;
        expect(error).toBeInstanceOf(AppError);
        expect((error as AppError).status).toBeLessThan(500);
        expect(store.kept).toEqual([]);
      }
    }
    expect(outcomes.taken).toBeGreaterThan(0);
    expect(outcomes.refused).toBeGreaterThan(0);
  });
});

/** The same numbers in every run (Lehmer generator). */
function seededRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
