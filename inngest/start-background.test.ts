import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { useDatabase } from "@/e2e/support/service-database";
import { useTestSettings } from "@/e2e/support/test-settings";
import { startBackground } from "@/inngest/start-background";
import { db } from "@/lib/db/pool";
import { freePort } from "@/scripts/support/free-port";

/** Longer than a connection may take to come about. */
const BUSY_MS = 3_300;
/** Bound for what hangs. */
const WAIT_MS = 20_000;

const database = useDatabase();
// Of a port on which no service answers.
beforeAll(async () => {
  const PORT = String(await freePort());
  useTestSettings(database.url, { LOG_LEVEL: "debug", LOG_FORMAT: "json", PORT });
});
afterEach(() => vi.restoreAllMocks());

it("has its connections before what comes next keeps the process busy: none is given up as if the database were away", async () => {
  const lines: Record<string, unknown>[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => lines.push(JSON.parse(String(text))) > 0);
  const stop = await startBackground();
  // As long as a slow machine takes to load the rest of the service.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
  await db().query("SELECT");
  // What the runner knows of a thing stands in fields of its line, by which it can be searched.
  const reason = expect.stringMatching(/ECONNREFUSED/);
  const away = { at: expect.any(String), level: "debug", message: "The app does not register", reason };
  await vi.waitFor(() => expect(lines).toContainEqual(away), WAIT_MS);
  await stop();
  expect(lines.filter(({ level }) => level !== "debug")).toEqual([]);
});
