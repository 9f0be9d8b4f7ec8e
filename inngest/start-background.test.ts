import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { useDatabase } from "@/e2e/support/service-database";
import { useTestSettings } from "@/e2e/support/test-settings";
import { startBackground } from "@/inngest/start-background";
import { db } from "@/lib/db/pool";

/** Longer than a connection may take to come about. */
const BUSY_MS = 3_300;

const database = useDatabase();
beforeAll(() => useTestSettings(database.url, { LOG_LEVEL: "warn", LOG_FORMAT: "json" }));
afterEach(() => vi.restoreAllMocks());

it("has its connections before what comes next keeps the process busy: none is given up as if the database were away", async () => {
  const lines: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  const stop = await startBackground();
  // As long as a slow machine takes to load the rest of the service.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
  await db().query("SELECT");
  await stop();
  expect(lines).toEqual([]);
});
