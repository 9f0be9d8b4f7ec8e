import { AppError } from "@/lib/domain/errors";

const WHERE = "Send it as X-API-Key: <API_KEY>, or as Authorization: Bearer <API_KEY>.";

/**
 * The key of a call, from either header (§5.2). Both may be sent when they say the same.
 * @throws AppError MISSING_API_KEY, or INVALID_API_KEY when the two differ
 */
export function readApiCredentials(headers: Pick<Headers, "get">): string {
  const own = headers.get("x-api-key")?.trim() || undefined;
  const bearer = /^bearer\s+(\S.*)$/i.exec(headers.get("authorization")?.trim() ?? "")?.[1]?.trim();
  if (own !== undefined && bearer !== undefined && own !== bearer) {
    throw new AppError("INVALID_API_KEY", "X-API-Key and Authorization carry different API keys. Send one of them.");
  }
  const key = own ?? bearer;
  if (key === undefined) throw new AppError("MISSING_API_KEY", `The API key is missing. ${WHERE}`);
  return key;
}
