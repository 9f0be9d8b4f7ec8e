import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Env } from "@/lib/env";
import { outliveReaders } from "@/lib/log";
import { buildIfChanged } from "@/scripts/support/build-app";
import { prepareLocalReceivers } from "@/scripts/support/callback-receiver";
import { unusedClusterNote } from "@/scripts/support/cluster-place";
import { loadSecrets, openDataDir, readRuntimeNote, type Secrets, writeRuntimeNote } from "@/scripts/support/data-dir";
import { type DemoCredentials, ensureDemoAccount, isDemoAccountLeft } from "@/scripts/support/demo-account";
import { developmentSettings } from "@/scripts/support/development-settings";
import { findMissingPeople } from "@/scripts/support/find-missing-people";
import { type Guard, guardedBy, startGuard } from "@/scripts/support/guard";
import { keepPostgres } from "@/scripts/support/keep-postgres";
import { refuseUnseenHolder } from "@/scripts/support/leftover-postgres";
import { migrate } from "@/scripts/support/migrate";
import { PortTakenError, startServer } from "@/scripts/support/server-process";
import { acquireLock, type ServiceLock } from "@/scripts/support/service-lock";
import { serviceVariables } from "@/scripts/support/service-settings";
import { readServiceSettings } from "@/scripts/support/settings";
import { ownAddress, portProblem, type ServiceCommand, settlePort } from "@/scripts/support/settle-port";
import { type Shutdown, shutdownOnSignals } from "@/scripts/support/shutdown";
import { type MissingPeople, welcomeText } from "@/scripts/support/welcome";

/** For an operator command, or a service that stops. */
const HOLDER_WAIT_MS = 30_000;
const HEALTH_TIMEOUT_MS = 120_000;
const HEALTH_POLL_MS = 30;

/** `npm start` and `npm run dev`: starts everything, says how to use it, and stops everything in order. */
export async function runService(command: ServiceCommand): Promise<void> {
  outliveReaders();
  // Ctrl-C is how the service is stopped: that is no failure.
  const shutdown = shutdownOnSignals(0);
  try {
    await startAll(command, readServiceSettings(), shutdown);
  } catch (error) {
    if (shutdown.isStopping()) return;
    const { name, message, stack } = error as Error;
    process.stderr.write(`${name === "Error" ? message : stack}\n`);
    await shutdown.stop(1);
  }
}

async function startAll(command: ServiceCommand, given: Env, shutdown: Shutdown): Promise<void> {
  const lock = await takeDataDir(given, shutdown);
  const isDevelopment = command === "run dev";
  const settings = await settlePort(isDevelopment ? developmentSettings(given) : given, command);
  const guard = startGuard();
  shutdown.add(() => guard.release());
  const [database, demoModel] = await Promise.all([
    prepareDatabase(settings, guard, shutdown),
    startModel(settings, shutdown),
    isDevelopment ? undefined : buildIfChanged(),
  ]);
  await serve(command, settings, { ...database.variables, ...demoModel }, guard, shutdown);
  const hasLocalReceivers = database.variables.OUTBOUND_EXTRA_CA_FILE !== undefined;
  const running = { databaseUrl: database.url, url: settings.APP_URL, pid: process.pid, hasLocalReceivers };
  shutdown.add(writeRuntimeNote(settings.DATA_DIR, running));
  // The last is the first to stop.
  shutdown.add(lock.leave);
  const text = welcomeText({
    serviceName: settings.SERVICE_NAME,
    url: settings.APP_URL,
    credentials: database.credentials,
    credentialsPath: join(settings.DATA_DIR, "demo-credentials.json"),
    missing: database.missing,
    isDemoModel: demoModel.IS_DEMO_MODEL !== undefined,
    notes: database.notes.filter((note) => note !== undefined),
    seconds: process.uptime(),
  });
  process.stdout.write(`${text}\n`);
}

/** What a start without a demo account leaves of an earlier one is open to whoever has its credentials. */
async function demoNote({ DEMO_ACCOUNT, DATA_DIR }: Env): Promise<string | undefined> {
  if (DEMO_ACCOUNT || !(await isDemoAccountLeft(DATA_DIR))) return undefined;
  return "The demo account of an earlier start still works. Shut it: npm run admin -- switch-off-demo";
}

async function takeDataDir({ DATA_DIR: dataDir, DATABASE_URL }: Env, shutdown: Shutdown): Promise<ServiceLock> {
  openDataDir(dataDir);
  if (!DATABASE_URL) await refuseUnseenHolder(dataDir);
  const lock = await acquireLock(dataDir, "service", HOLDER_WAIT_MS);
  if ("holder" in lock) {
    const where = readRuntimeNote(dataDir)?.url;
    throw new Error(
      `The service runs already on ${dataDir} (process ${lock.holder.pid}${where ? `, ${where}` : ""}): stop it, or set another DATA_DIR and PORT.`,
    );
  }
  shutdown.add(lock.release);
  return lock;
}

/** Applied to a database that was empty alone. */
const FIRST_MIGRATION = "20261120000000_init";

interface PreparedDatabase {
  url: string;
  notes: (string | undefined)[];
  variables: Record<string, string>;
  /** Undefined: there is to be no demo account. */
  credentials: DemoCredentials | undefined;
  /** Of what a service without one needs. */
  missing: MissingPeople | undefined;
}

async function prepareDatabase(settings: Env, guard: Guard, shutdown: Shutdown): Promise<PreparedDatabase> {
  const secrets = loadSecrets(settings.DATA_DIR, settings.ENCRYPTION_KEY);
  const { url, note } = await findDatabase(settings, secrets, guard, shutdown);
  const migrated = await migrate(url, settings.DATABASE_URL !== undefined);
  const variables = { ...serviceVariables(settings, secrets, url), ...trustOfLocalReceivers(settings) };
  Object.assign(process.env, variables);
  const credentials = settings.DEMO_ACCOUNT
    ? await ensureDemoAccount(settings.DATA_DIR, settings.APP_URL, url)
    : undefined;
  const missing = credentials ? undefined : await findMissingPeople();
  const isOwnAndNew = settings.DATABASE_URL !== undefined && migrated.includes(FIRST_MIGRATION);
  const notes = [
    note,
    isOwnAndNew ? unusedClusterNote(settings.DATA_DIR) : undefined,
    await keyNote(),
    await demoNote(settings),
  ];
  // The server is a process of its own: this one needs the database no more.
  const { closePools } = await import("@/lib/db/pool");
  await closePools();
  return { url, notes, variables, credentials, missing };
}

/** A restored database whose key was forgotten starts like any other: a new key was made for it. */
async function keyNote(): Promise<string | undefined> {
  const { checkEncryptionKey } = await import("@/lib/services/secrets/check-encryption-key");
  if (await checkEncryptionKey()) return undefined;
  return "ENCRYPTION_KEY is not the one of this database: webhooks are not delivered, and second factors not taken. Put back the old one, or the old secrets.json in DATA_DIR.";
}

/** Receivers on this machine need a certificate that the service trusts; one is made unless one is named. */
function trustOfLocalReceivers(settings: Env): Record<string, string> {
  if (settings.OUTBOUND_EXTRA_CA_FILE) return {};
  const certFile = prepareLocalReceivers(settings.DATA_DIR, settings.OUTBOUND_ALLOWED_HOSTS);
  return certFile === undefined ? {} : { OUTBOUND_EXTRA_CA_FILE: certFile };
}

async function findDatabase(settings: Env, secrets: Secrets, guard: Guard, shutdown: Shutdown) {
  if (settings.DATABASE_URL) return { url: settings.DATABASE_URL, note: undefined };
  const watcher = guardedBy(guard, ["SIGINT", "SIGQUIT"]);
  const options = { dataDir: settings.DATA_DIR, password: secrets.postgresPassword, watcher };
  const postgres = await keepPostgres(options, (error) => {
    process.stderr.write(`${error.message}\n`);
    void shutdown.stop(1);
  });
  shutdown.add(() => postgres.stop());
  return postgres;
}

/** Without a model, answers come from the demo model and say so. */
async function startModel(settings: Env, shutdown: Shutdown): Promise<Record<string, string>> {
  if (settings.OPENAI_API_KEY || settings.OPENAI_BASE_URL) return {};
  const { startDemoModel } = await import("@/scripts/support/demo-model");
  const model = await startDemoModel({ port: 0 });
  shutdown.add(() => model.stop());
  return { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: "demo", IS_DEMO_MODEL: "true" };
}

async function serve(
  command: ServiceCommand,
  settings: Env,
  variables: Record<string, string>,
  guard: Guard,
  shutdown: Shutdown,
): Promise<void> {
  const { HOST: host, PORT: port, STOP_DELAY_SECONDS: stopDelaySeconds } = settings;
  const options = { host, port, stopDelaySeconds, isDevelopment: command === "run dev", variables };
  try {
    const server = await startServer(options, guardedBy(guard, ["SIGTERM"]));
    shutdown.add(() => server.stop());
  } catch (error) {
    throw error instanceof PortTakenError ? portProblem("EADDRINUSE", settings, command) : error;
  }
  await untilHealthy(`${ownAddress(settings)}/api/v1/health`);
}

async function untilHealthy(url: string): Promise<void> {
  const deadline = performance.now() + HEALTH_TIMEOUT_MS;
  let last = "no answer";
  while (performance.now() < deadline) {
    try {
      const { status } = await fetch(url, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
      if (status === 200) return;
      last = `status ${status}`;
    } catch (error) {
      last = (error as Error).message;
    }
    await delay(HEALTH_POLL_MS);
  }
  throw new Error(`The server does not answer well at ${url} (${last}).`);
}
