import { validationFailed } from "@/lib/http/validate";

interface NamesEndUser {
  endUserId?: string | undefined;
}

/**
 * The end user of a call that takes one in its query and in its body (contract §3).
 * @throws AppError VALIDATION_FAILED when the two name different ones
 */
export function endUserOf({ query, body }: { query: NamesEndUser; body: NamesEndUser }): string | undefined {
  if (query.endUserId !== undefined && body.endUserId !== undefined && query.endUserId !== body.endUserId) {
    throw validationFailed([{ param: "endUserId", message: "must be the same in the body and in the query" }]);
  }
  return query.endUserId ?? body.endUserId;
}
