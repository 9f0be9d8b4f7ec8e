import { Pool } from "pg";
import { startRunner } from "@/inngest/embedded/start-runner";
import { EVENT_KEY, SIGNING_KEY } from "@/inngest/embedded/testing/test-app";

/** A runner in a process of its own, to be killed. */
const [databaseUrl = "", serveUrl = "", port = ""] = process.argv.slice(2);
const runner = await startRunner({
  pool: new Pool({ connectionString: databaseUrl }),
  databaseUrl,
  port: Number(port),
  serveUrl,
  signingKey: SIGNING_KEY,
  eventKey: EVENT_KEY,
  leaseSeconds: 1,
  concurrency: 8,
});
await runner.ready();
process.send?.({ url: runner.url });
