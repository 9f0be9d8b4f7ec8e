import { z } from "zod";
import type { CreateStreamLinkResponse } from "@/lib/contracts/stream-links";
import { databaseNow } from "@/lib/db/database-now";
import { db } from "@/lib/db/pool";
import { prisma } from "@/lib/db/prisma";
import { AppError, notFound } from "@/lib/domain/errors";
import type { Permission } from "@/lib/domain/permissions";
import { env } from "@/lib/env";
import { IS_USABLE, MAY_CALL } from "@/lib/services/api-keys/find-keys";
import { openSecret, sealSecret } from "@/lib/services/people/sealed-secret";
import { findStreamStart } from "@/lib/services/sessions/find-stream-start";

const streamTicket = z.strictObject({
  /** No other sealed text of the service can be taken for one. */
  use: z.literal("stream"),
  apiKeyId: z.string(),
  projectId: z.string(),
  sessionId: z.string(),
  /** Milliseconds since 1970, by the database's clock: from then on it opens nothing. */
  endsAtMs: z.int(),
});

/** Whose stream a link opens, and by whose key. */
export type StreamLink = Omit<z.output<typeof streamTicket>, "use" | "endsAtMs">;

/** What the key of a link needs to have still, as it did when it asked for it. */
const PERMISSION: Permission = "chat";

/**
 * An address at which a page follows a session without a key (docs/decisions/0047). The link carries all there is to know, sealed:
 * no table has to.
 * @throws AppError NOT_FOUND, also when the session is another project's or not the end user's
 */
export async function createStreamLink(
  { projectId, apiKeyId }: { projectId: string; apiKeyId: string },
  sessionId: string,
  { endUserId, expiresInSeconds }: { endUserId: string | undefined; expiresInSeconds: number },
): Promise<CreateStreamLinkResponse> {
  if (!(await findStreamStart({ sessionId, projectId, endUserId, after: 0 }))) throw notFound("The session");
  const endsAtMs = (await databaseNow(prisma())).getTime() + expiresInSeconds * 1_000;
  const ticket: z.input<typeof streamTicket> = { use: "stream", apiKeyId, projectId, sessionId, endsAtMs };
  return {
    url: `${env().APP_URL}/api/v1/streams/${sealSecret(JSON.stringify(ticket))}`,
    expiresAt: new Date(endsAtMs).toISOString(),
  };
}

/**
 * Whose stream the link opens, while it does: it has not expired, and its key could ask for it now.
 * @throws AppError NOT_FOUND, the same for all that opens nothing
 */
export async function openStreamLink(text: string): Promise<StreamLink> {
  const { apiKeyId, projectId, sessionId, endsAtMs } = openTicket(text);
  const { rowCount } = await db().query({
    name: "open-stream-link",
    text: `
      SELECT 1 FROM api_keys k
        JOIN projects p ON p.id = k.project_id
        JOIN accounts a ON a.id = k.account_id
       WHERE k.id = $1 AND k.project_id = $2 AND $3 = ANY (k.permissions) AND ${IS_USABLE} AND ${MAY_CALL}
         AND now() < to_timestamp($4::double precision / 1000)`,
    values: [apiKeyId, projectId, PERMISSION, endsAtMs],
  });
  if (rowCount === 0) throw linkNotFound();
  return { apiKeyId, projectId, sessionId };
}

function openTicket(text: string): z.output<typeof streamTicket> {
  try {
    return streamTicket.parse(JSON.parse(openSecret(text)));
  } catch {
    throw linkNotFound();
  }
}

function linkNotFound(): AppError {
  return new AppError(
    "NOT_FOUND",
    "The link was not found: it does not exist, has expired, or the key that asked for it may make no calls any more. Your server gets a new one with POST /chat/:sessionId/stream-links.",
  );
}
