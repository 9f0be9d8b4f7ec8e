import { join } from "node:path";
import { Client } from "pg";
import { hashApiKey, randomBase62 } from "@/lib/domain/api-key";
import { PERMISSIONS } from "@/lib/domain/permissions";
import { readJson, writePrivateJson } from "@/scripts/support/private-file";

/** What the first start writes to `demo-credentials.json`. */
export interface DemoCredentials {
  url: string;
  accountId: string;
  projectId: string;
  apiKey: string;
  owner: DemoPerson;
  staff: DemoPerson;
  /** Those that were made before, until their key worked no more. What else they have is still there. */
  earlier?: EarlierDemo[];
}

/** People keep their id when they change their address. Files from before 29 November 2026 have none. */
interface DemoPerson {
  userId?: string;
  email: string;
  password: string;
}

interface EarlierDemo {
  accountId: string;
  emails: string[];
  userIds: string[];
}

const FILE_NAME = "demo-credentials.json";
const DEMO_CREDITS = 10_000;

/** What the file holds once the demo account was switched off, so that no start makes another. */
interface SwitchedOff {
  switchedOffAt: string;
  accountId: string;
}

/** The demo account's credentials as they were written, if they were and it was not switched off. */
export function readDemoCredentials(dataDir: string): DemoCredentials | undefined {
  const kept = readFile(dataDir);
  return kept && isSwitchedOff(kept) ? undefined : kept;
}

/**
 * Shuts the demo account of this data directory and its member of staff for good, with those that were made before; no start
 * makes another one there.
 * The settings must be in `process.env` already.
 * @throws Error when there is none, or the database is not the one that it was made in
 */
export async function switchOffDemoAccount(dataDir: string): Promise<Record<string, unknown>> {
  const kept = readFile(dataDir);
  if (!kept) throw new Error(`${dataDir} has no demo account. Set DEMO_ACCOUNT=off so that it gets none.`);
  if (isSwitchedOff(kept)) return { ...kept };
  // Its file is what knows it: without it, the one in the other database could not be shut any more.
  if (!(await isInDatabase(kept))) throw new Error(otherDatabaseWords(dataDir));
  const [{ closeAccount }, { OPERATOR }] = await Promise.all([
    import("@/lib/services/accounts/close-account"),
    import("@/lib/services/accounts/record-audit"),
  ]);
  const closed = [];
  for (const demo of withEarlier(kept)) {
    closed.push(await closeAccount(OPERATOR, { ...demo, reason: "Demo account switched off" }));
  }
  const keysRevoked = closed.reduce((sum, one) => sum + one.keysRevoked, 0);
  const peopleDisabled = closed.flatMap((one) => one.peopleDisabled);
  const note: SwitchedOff = { switchedOffAt: new Date().toISOString(), accountId: kept.accountId };
  writePrivateJson(join(dataDir, FILE_NAME), note);
  return { keysRevoked, peopleDisabled, ...note };
}

/**
 * Whether the demo account of this data directory is there to be shut; false where it was, or its file speaks of another database.
 * The settings must be in `process.env` already; the caller closes the pools.
 */
export async function isDemoAccountLeft(dataDir: string): Promise<boolean> {
  const kept = readDemoCredentials(dataDir);
  return kept !== undefined && (await isInDatabase(kept));
}

/** Staff are never deleted: one whose account was erased is known by them. */
async function isInDatabase({ accountId, owner, staff }: DemoCredentials): Promise<boolean> {
  const { prisma } = await import("@/lib/db/prisma");
  const people = [owner, staff].map(({ userId, email }) => (userId === undefined ? { email } : { id: userId }));
  const [account, person] = await Promise.all([
    prisma().account.findUnique({ where: { id: accountId }, select: { id: true } }),
    prisma().user.findFirst({ where: { OR: people }, select: { id: true } }),
  ]);
  return account !== null || person !== null;
}

function otherDatabaseWords(dataDir: string): string {
  return `The demo account of ${join(dataDir, FILE_NAME)} is not in this database, and nothing was done: give the command the DATABASE_URL of the service that made it.`;
}

/** Whom there is to shut: the newest first. */
function withEarlier({ accountId, owner, staff, earlier = [] }: DemoCredentials): EarlierDemo[] {
  const people = [owner, staff];
  const emails = people.flatMap(({ userId, email }) => (userId === undefined ? [email] : []));
  const userIds = people.flatMap(({ userId }) => userId ?? []);
  return [{ accountId, emails, userIds }, ...earlier];
}

function readFile(dataDir: string): DemoCredentials | SwitchedOff | undefined {
  return readJson<DemoCredentials | SwitchedOff>(join(dataDir, FILE_NAME));
}

function isSwitchedOff(kept: DemoCredentials | SwitchedOff): kept is SwitchedOff {
  return "switchedOffAt" in kept;
}

/**
 * The demo account of this data directory: that of an earlier start while its key still works, else a new one; none where
 * it was switched off. The settings must be in `process.env` already; the caller closes the pools.
 */
export async function ensureDemoAccount(
  dataDir: string,
  url: string,
  databaseUrl: string,
): Promise<DemoCredentials | undefined> {
  const kept = readFile(dataDir);
  if (kept && isSwitchedOff(kept)) return undefined;
  const isKept = kept !== undefined && (await doesKeyWork(databaseUrl, kept));
  if (isKept && kept.url === url) return kept;
  const credentials = isKept ? { ...kept, url } : await createDemoAccount(url);
  if (kept && !isKept) credentials.earlier = withEarlier(kept);
  writePrivateJson(join(dataDir, FILE_NAME), credentials);
  return credentials;
}

/** One query on a connection of its own: the services and Prisma need not be loaded for it. */
async function doesKeyWork(databaseUrl: string, { accountId, apiKey }: DemoCredentials): Promise<boolean> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query(
      `SELECT 1 FROM api_keys WHERE account_id = $1 AND key_hash = $2 AND revoked_at IS NULL
       AND (expires_at IS NULL OR expires_at > now())`,
      [accountId, hashApiKey(apiKey)],
    );
    return rowCount === 1;
  } finally {
    await client.end();
  }
}

async function createDemoAccount(url: string): Promise<DemoCredentials> {
  const [{ createAccount }, { createStaff }, { createApiKey }, { OPERATOR }] = await Promise.all([
    import("@/lib/services/accounts/create-account"),
    import("@/lib/services/accounts/create-staff"),
    import("@/lib/services/api-keys/create-api-key"),
    import("@/lib/services/accounts/record-audit"),
  ]);
  const tag = randomBase62(6).toLowerCase();
  const { accountId, projectId, owner } = await createAccount(OPERATOR, {
    companyName: "Demo Company",
    email: `owner-${tag}@demo.example`,
    isVerified: true,
    planId: "scale",
    credits: DEMO_CREDITS,
  });
  const staff = await createStaff(OPERATOR, { email: `staff-${tag}@demo.example` });
  const { apiKey } = await createApiKey(OPERATOR, { accountId, name: "Demo key", permissions: PERMISSIONS });
  return {
    url,
    accountId,
    projectId,
    apiKey,
    owner,
    staff,
  };
}
