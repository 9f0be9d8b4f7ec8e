import { Pool } from "pg";
import { startTestApp } from "@/inngest/embedded/testing/test-app";

/** An app in a process of its own, to be killed. Its steps leave a row in `effects` when they begin and when they end. */
const [databaseUrl = "", runnerUrl = "", port = ""] = process.argv.slice(2);
const pool = new Pool({ connectionString: databaseUrl });
const record = (run: string, step: string) =>
  pool.query("INSERT INTO effects (run, step, pid) VALUES ($1, $2, $3)", [run, step, process.pid]);
const app = await startTestApp(Number(port));

app.serve(runnerUrl, (client) => [
  client.createFunction({ id: "slow", triggers: { event: "slow" }, retries: 0 }, async ({ event, step }) => {
    for (const name of ["one", "two", "three"]) {
      await step.run(name, async () => {
        await record(event.data.run, `${name} begins`);
        await new Promise((resolve) => setTimeout(resolve, event.data.ms));
        await record(event.data.run, `${name} ends`);
      });
    }
    await step.run("last", () => record(event.data.run, "done"));
  }),
]);
process.send?.({ serveUrl: app.serveUrl });
