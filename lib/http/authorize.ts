import type { EndpointDefinition } from "@/lib/contracts/endpoint-definition";
import { endpointName } from "@/lib/contracts/endpoint-definition";
import { readApiCredentials } from "@/lib/domain/api-credentials";
import { AppError } from "@/lib/domain/errors";
import type { Exchange } from "@/lib/http/exchange";
import {
  type AuthenticatedKey,
  authenticateKey,
  type KeyPrincipal,
  UnusableKeyError,
} from "@/lib/services/api-keys/authenticate-key";
import { findCallableKeys } from "@/lib/services/api-keys/find-callable-keys";
import { readBucket, takeToken } from "@/lib/services/rate-limits/take-token";

/** A body that took so long may have outlived its key. */
const LONG_BODY_MS = 1_000;

/**
 * The checks before a call's body is read, in the contract's order: key and from where it is used, verification, project, permission, rate
 * limit (contract §2). Notes the caller and the state of its rate limit in the exchange.
 * @throws AppError 401, 403 or 429
 */
export async function authorize(
  request: Request,
  definition: EndpointDefinition,
  exchange: Exchange,
): Promise<KeyPrincipal> {
  const key = await authenticate(request, definition, exchange);
  const refusal = findRefusal(key, definition, exchange);
  if (refusal) {
    exchange.rateLimit = await readBucket(key.principal.apiKeyId, key.requestsPerMinute);
    throw refusal;
  }
  const rateLimit = key.rateLimit ?? (await takeToken(key.principal.apiKeyId, key.requestsPerMinute));
  exchange.rateLimit = rateLimit;
  if (!rateLimit.isAllowed) {
    const { limit, retryAfterSeconds } = rateLimit;
    throw new AppError(
      "RATE_LIMITED",
      `The limit of ${limit} requests per minute is reached. Try again in ${retryAfterSeconds} s.`,
      { retryAfterSeconds },
    );
  }
  return key.principal;
}

/**
 * Once the body is here: a key that was revoked while it was on its way, or whose account was suspended or project's API
 * switched off, starts nothing any more. Takes no token.
 * @throws AppError 401 or 403
 */
export async function authorizeStill(
  request: Request,
  definition: EndpointDefinition,
  exchange: Exchange,
  { apiKeyId }: KeyPrincipal,
): Promise<void> {
  if (performance.now() - exchange.startedAtMs < LONG_BODY_MS) return;
  await authorizeAgain(request, definition, exchange, { apiKeyId });
}

/**
 * `authorizeStill`, however long the call took: for one that failed since what it writes to is gone.
 * @throws AppError 401 or 403
 */
export async function authorizeAgain(
  request: Request,
  definition: EndpointDefinition,
  exchange: Exchange,
  { apiKeyId }: Pick<KeyPrincipal, "apiKeyId">,
): Promise<void> {
  if ((await findCallableKeys([apiKeyId])).has(apiKeyId)) return;
  const refusal = findRefusal(await authenticate(request, definition, exchange), definition, exchange);
  if (refusal) throw refusal;
}

/** Notes whose key it is, also of one that is no longer valid: its owner's call log shows who still uses it. */
async function authenticate(
  request: Request,
  { permission }: EndpointDefinition,
  exchange: Exchange,
): Promise<AuthenticatedKey> {
  try {
    const key = await authenticateKey(readApiCredentials(request.headers), { ip: exchange.clientIp, permission });
    exchange.caller = key.principal;
    return key;
  } catch (error) {
    if (error instanceof UnusableKeyError) exchange.caller = error.owner;
    throw error;
  }
}

function findRefusal(
  key: AuthenticatedKey,
  definition: EndpointDefinition,
  { clientIp }: Exchange,
): AppError | undefined {
  if (!key.isAddressAllowed) {
    return new AppError(
      "ADDRESS_NOT_ALLOWED",
      `The API key may not be used from ${clientIp ?? "an address that is not known"}. The panel, API B2B, API Keys, says from where it may; owners and admins change that.`,
    );
  }
  if (key.verificationStatus === "suspended") {
    return new AppError("B2B_NOT_VERIFIED", "The account is suspended. The panel, API B2B, Verification, says why.");
  }
  if (key.verificationStatus !== "verified") {
    return new AppError(
      "B2B_NOT_VERIFIED",
      "The account is not verified. Verification takes up to 48 hours after the company data is submitted; the panel shows its state.",
    );
  }
  if (!key.isApiEnabled) {
    return new AppError(
      "API_DISABLED",
      "The API of this project is switched off. Switch it on in the panel's settings.",
    );
  }
  const { permission } = definition;
  if (permission !== null && !key.principal.permissions.includes(permission)) {
    return new AppError(
      "INSUFFICIENT_PERMISSION",
      `The API key lacks the permission "${permission}", which ${endpointName(definition)} needs. Use a key that has it.`,
    );
  }
  return undefined;
}
