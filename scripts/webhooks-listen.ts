import { prepareLocalReceivers, readLocalCertificate } from "@/scripts/support/callback-receiver";
import { asksForHelp, optionalText, optionalWhole, parseFlags, UsageError } from "@/scripts/support/command-line";
import { openDataDir, type RuntimeNote } from "@/scripts/support/data-dir";
import { findRunningService } from "@/scripts/support/running-service";
import { readSettings } from "@/scripts/support/settings";
import { withVariable } from "@/scripts/support/shell-words";
import { shutdownOnSignals } from "@/scripts/support/shutdown";
import { startWebhookListener } from "@/scripts/support/webhook-listener";

/** `npm run webhooks:listen`: a local HTTPS receiver that checks and shows what the service sends. */

const DEFAULT_PORT = 9443;
const MAX_DELAY_SECONDS = 600;
const USAGE = `Usage: npm run webhooks:listen -- [--secret whsec_…[,whsec_…]] [--port ${DEFAULT_PORT}] [--status 500] [--delay SECONDS]`;

interface ListenFlags {
  secrets: string[];
  port: number;
  status?: number;
  delaySeconds?: number;
}

const shutdown = shutdownOnSignals(0);
// Whoever piped it into something has seen enough.
process.stdout.on("error", () => void shutdown.stop(1));
try {
  const args = process.argv.slice(2);
  if (asksForHelp(args)) {
    process.stdout.write(`${USAGE}\n`);
    await shutdown.stop(0);
  }
  await main(readFlags(args));
} catch (error) {
  process.stderr.write(`${explain(error as NodeJS.ErrnoException)}\n`);
  await shutdown.stop(1);
}

function readFlags(args: string[]): ListenFlags {
  const flags = parseFlags(args, { secret: "text", port: "text", status: "text", delay: "text" });
  const secrets = optionalText(flags, "secret")?.split(",") ?? [];
  if (secrets.some((secret) => !secret.startsWith("whsec_"))) {
    throw new UsageError("--secret must begin with whsec_, as the panel shows it.");
  }
  return {
    secrets,
    port: optionalWhole(flags, "port", 0, 65_535) ?? DEFAULT_PORT,
    status: optionalWhole(flags, "status", 200, 599),
    delaySeconds: optionalWhole(flags, "delay", 0, MAX_DELAY_SECONDS),
  };
}

async function main(flags: ListenFlags): Promise<void> {
  const { DATA_DIR: dataDir } = readSettings();
  openDataDir(dataDir);
  const certFile = prepareLocalReceivers(dataDir, ["localhost"]) ?? "";
  const show = (text: string) => process.stdout.write(`${text}\n`);
  const listener = await startWebhookListener({ ...flags, certificate: readLocalCertificate(dataDir), show });
  shutdown.add(listener.close);
  show(["", `Listening on ${listener.url}  (Ctrl-C stops it)`, ""].join("\n"));
  show(howToReach(await findRunningService(dataDir), certFile));
  if (flags.secrets.length === 0)
    show("Signatures are not checked: pass --secret whsec_… to see whether they are right.\n");
}

function howToReach(service: RuntimeNote | undefined, certFile: string): string {
  if (service?.hasLocalReceivers) {
    return `The service at ${service.url} reaches it: register this address, or send it as callbackUrl.\n`;
  }
  const start = `  ${withVariable("OUTBOUND_ALLOWED_HOSTS", "localhost", "npm start")}      or: npm run dev`;
  return [
    service ? `The service at ${service.url} does not reach it yet. Start it anew with:` : "Start the service with:",
    start,
    "A server that is started in another way needs these lines in its settings:",
    "  OUTBOUND_ALLOWED_HOSTS=localhost",
    `  OUTBOUND_EXTRA_CA_FILE=${certFile}`,
    "",
  ].join("\n");
}

function explain(error: NodeJS.ErrnoException): string {
  if (error instanceof UsageError) return `${error.message}\n${USAGE}`;
  if (error.code === "EADDRINUSE") return "The port is taken: choose another with --port.";
  if (error.code === "EACCES") return "This port is not allowed: choose another with --port.";
  return error.stack ?? error.message;
}
