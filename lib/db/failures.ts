/** What a database error means for the caller. */

/**
 * Besides those of its being away: read-only (25006), a process that stood still in mid-transaction (25P03), full disk and memory,
 * longer than a statement of that pool may take (57014) or than a call may wait for its account (55P03), and whoever is let in no more (28000, 28P01, 3D000), as between the
 * change of a password or a name there and the restart with it.
 */
const AWAY_SQLSTATES = new Set(
  "25006 25P03 28000 28P01 3D000 53100 53200 53300 55P03 57014 57P01 57P02 57P03 57P04 57P05 08000 08001 08003 08004 08006".split(
    " ",
  ),
);
/** The second half: name servers that fail or are silent, and ways that are not there, as while the database's name moves. */
const AWAY_SYSTEM_CODES = new Set(
  "ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND ENOENT EAI_AGAIN EAI_FAIL EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN".split(
    " ",
  ),
);
/** As Node names what it finds wrong with a certificate. */
const UNTRUSTED = /CERT|ISSUER|ALTNAME|LEAF_SIGNATURE/;
const AWAY_KINDS = new Set([
  "DatabaseNotReachable",
  "ConnectionClosed",
  "SocketTimeout",
  "TooManyConnections",
  "AuthenticationFailed",
  "DatabaseAccessDenied",
  "DatabaseDoesNotExist",
  "TlsConnectionError",
]);
/** The last has a code (55000) that other refusals have, too. */
const AWAY_MESSAGES =
  /timeout exceeded when trying to connect|^timeout expired$|Connection terminated|connection timeout|Client has encountered a connection error|Query read timeout|is not currently accepting connections/i;

interface DatabaseError {
  code?: string;
  /** What Prisma's adapter calls it where it keeps no code of the database's. */
  kind?: string;
  /** Its name; Prisma's adapter has it as the name of an index. */
  constraint?: string | { index?: string };
  message?: string;
  cause?: unknown;
  errors?: unknown[];
  /** Prisma's errors have codes of their own, as `P2010`; the database's are in here. */
  meta?: { driverAdapterError?: unknown };
}

/** Whether the database cannot be reached or takes nothing right now; then nothing was accepted (503). */
export function isDatabaseAway(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, kind, message, cause, errors = [], meta } = error as DatabaseError;
  if (code !== undefined && isAwayCode(code)) return true;
  if (kind !== undefined && AWAY_KINDS.has(kind)) return true;
  if (message !== undefined && AWAY_MESSAGES.test(message)) return true;
  return [cause, meta?.driverAdapterError, ...errors].some(isDatabaseAway);
}

const isAwayCode = (code: string) =>
  AWAY_SQLSTATES.has(code) || AWAY_SYSTEM_CODES.has(code) || isCertificateRefused(code);

/** Whether a code of the TLS library means a certificate that is not trusted, such as one that expired while the service runs. */
export function isCertificateRefused(code: string): boolean {
  return UNTRUSTED.test(code);
}

/** A table or column that is not there; what Prisma's adapter calls them; and Prisma's own codes of them. */
const LACKING = new Set(["42P01", "42703", "TableDoesNotExist", "ColumnNotFound", "P2021", "P2022"]);

/** Whether the database has not got a table or a column yet that a newer migration makes: nothing of the statement was kept. */
export function lacksMigrations(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, kind, cause, meta } = error as DatabaseError;
  if ([code, kind].some((name) => name !== undefined && LACKING.has(name))) return true;
  return [cause, meta?.driverAdapterError].some(lacksMigrations);
}

/** A deadlock, and changes at once that the database cannot put into an order; what Prisma's adapter calls both; and Prisma's own code of it. */
const TURNED_BACK = new Set(["40P01", "40001", "TransactionWriteConflict", "P2034"]);

/** Whether the database ended a transaction so that another could go on: nothing of it was kept, and the same once more may go through. */
export function isTurnedBack(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, kind, cause, meta } = error as DatabaseError;
  if ([code, kind].some((name) => name !== undefined && TURNED_BACK.has(name))) return true;
  return [cause, meta?.driverAdapterError].some(isTurnedBack);
}

/**
 * Whether a row with the same unique value is there already; `constraint` narrows it to one index. Prisma has its own code for
 * what Postgres calls 23505, and names no index.
 */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, constraint: violated } = error as DatabaseError;
  if (constraint === undefined) return code === "23505" || code === "P2002";
  return code === "23505" && violated === constraint;
}

/** References to what a tenant is made of, in the names that the migrations give them. */
const TENANT_REFERENCE = /_(account|project)_id_fkey$/;

/** Whether a row was to refer to an account or a project that is not there: it was erased since its caller was let in. */
export function isTenantGone(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, kind, constraint = "", cause, meta } = error as DatabaseError;
  if (code === "23503" || kind === "ForeignKeyConstraintViolation") {
    const name = typeof constraint === "string" ? constraint : constraint.index;
    return name !== undefined && TENANT_REFERENCE.test(name);
  }
  return [cause, meta?.driverAdapterError].some(isTenantGone);
}

/** Whether the database said why it did not do it: nothing of the statement, or of its transaction, was kept. */
export function isRefusedStatement(error: unknown): boolean {
  const { code } = (error ?? {}) as DatabaseError;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && !isDatabaseAway(error);
}
