import { Client } from "pg";
import type { Env } from "@/lib/env";
import { loadSecrets } from "@/scripts/support/data-dir";
import { readDemoCredentials } from "@/scripts/support/demo-account";
import { demoClient } from "@/scripts/support/demo-client";
import { DEMO_STEPS, type DemoContext } from "@/scripts/support/demo-steps";
import { findRunningService } from "@/scripts/support/running-service";
import { serviceVariables } from "@/scripts/support/service-settings";
import { readSettings } from "@/scripts/support/settings";

/** `npm run demo`: walks through the main job against the running service and shows each step. */
async function main(): Promise<void> {
  const settings = readSettings();
  const note = await findRunningService(settings.DATA_DIR);
  const credentials = readDemoCredentials(settings.DATA_DIR);
  if (!note) throw new Error("The service does not run: start it with npm start in another terminal, then try again.");
  if (!credentials) {
    throw new Error("There is no demo account: start the service with another DATA_DIR and without DEMO_ACCOUNT=off.");
  }
  const context: DemoContext = {
    client: demoClient(note.url, credentials.apiKey),
    write: (text) => process.stdout.write(text),
    say: (line) => process.stdout.write(`    ${line}\n`),
    ...(note.hasLocalReceivers && {
      receiverDir: settings.DATA_DIR,
      callbackSecret: await readCallbackSecret(settings, note.databaseUrl, credentials.projectId),
    }),
  };
  process.stdout.write(`The main job, step by step, against ${note.url}\n`);
  for (const [index, step] of DEMO_STEPS.entries()) {
    process.stdout.write(`\n${String(index + 1).padStart(2)}  ${step.title}\n`);
    await step.run(context);
  }
  process.stdout.write("\nAll steps went as they should.\n");
}

/** A client has it from the panel; this one is on the service's machine and looks it up. */
async function readCallbackSecret(settings: Env, databaseUrl: string, projectId: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query("SELECT callback_secret_encrypted AS sealed FROM projects WHERE id = $1", [
      projectId,
    ]);
    Object.assign(
      process.env,
      serviceVariables(settings, loadSecrets(settings.DATA_DIR, settings.ENCRYPTION_KEY), databaseUrl),
    );
    const { openSecret } = await import("@/lib/services/people/sealed-secret");
    return openSecret(rows[0].sealed);
  } finally {
    await client.end();
  }
}

// Whoever piped it into something has seen enough.
process.stdout.on("error", () => process.exit(1));
try {
  await main();
} catch (error) {
  process.stderr.write(`\n${explain(error as Error)}\n`);
  process.exitCode = 1;
}
process.exit();

/** What fetch throws says nothing to people: "fetch failed", "terminated". */
function explain(error: Error): string {
  if (!(error instanceof TypeError) || error.cause === undefined) return error.message;
  return "The service stopped in the middle: start it anew with npm start, then try again.";
}
