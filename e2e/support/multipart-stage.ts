import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { beforeEach } from "vitest";
import { BOUNDARY, MEGABYTE, request } from "@/e2e/support/multipart-forms";
import { type ReceiveMultipartOptions, receiveMultipart } from "@/lib/http/receive-multipart";
import type { IncomingFile } from "@/lib/http/receive-multipart-form";

export interface Saved {
  name: string;
  contentType: string;
  index: number;
  bytes: Buffer;
}

/** Where received files go. `kept` is what it holds: saved, being saved, and not discarded. */
export interface TestStore {
  kept: Saved[];
  undone: number;
}

const store: TestStore = { kept: [], undone: 0 };

/** The store that `receive`, `save` and `undo` work on; empty at the start of each test. */
export function useTestStore(): TestStore {
  beforeEach(() => {
    Object.assign(store, { kept: [], undone: 0 });
  });
  return store;
}

export function options<T>(over: Partial<ReceiveMultipartOptions<T>>): ReceiveMultipartOptions<T> {
  return {
    files: { field: "file", max: 1 },
    maxFileBytes: 500 * MEGABYTE,
    saveFile: () => Promise.reject(new Error("not expected")),
    discard: () => Promise.resolve(),
    ...over,
  };
}

/** Receives a body and keeps its files in the store. */
export function receive(
  body: Buffer,
  over: Partial<ReceiveMultipartOptions<Saved>> & { chunkBytes?: number; contentType?: string } = {},
) {
  const { chunkBytes = 65_536, contentType = `multipart/form-data; boundary=${BOUNDARY}`, ...rest } = over;
  const chunks = async function* () {
    for (let at = 0; at < body.length; at += chunkBytes) yield body.subarray(at, at + chunkBytes);
  };
  return receiveMultipart(
    request(Readable.from(chunks()), { "content-type": contentType }),
    options({ saveFile: save, discard: undo, ...rest }),
  );
}

export async function save({ stream, ...file }: IncomingFile): Promise<Saved> {
  const entry: Saved = { ...file, bytes: Buffer.alloc(0) };
  store.kept.push(entry);
  try {
    entry.bytes = await buffer(stream);
  } catch (error) {
    await undo(entry);
    throw error;
  }
  return entry;
}

/** Takes its time, as a store does. */
export async function undo(saved: Saved): Promise<void> {
  await new Promise((tick) => setImmediate(tick));
  store.kept = store.kept.filter((entry) => entry !== saved);
  store.undone += 1;
}

export function gate(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((tick) => setTimeout(tick, 5));
}
