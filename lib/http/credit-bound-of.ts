import { validationFailed } from "@/lib/http/validate";

interface HasCreditBound {
  maxCredits?: number | undefined;
}

/**
 * The body of a call that takes `maxCredits` in its query too (contract §5): with the bound, wherever it stood.
 * @throws AppError VALIDATION_FAILED when the two name different ones
 */
export function withCreditBound<B extends HasCreditBound>({ query, body }: { query: HasCreditBound; body: B }): B {
  const { maxCredits } = query;
  if (maxCredits === undefined) return body;
  if (body.maxCredits !== undefined && body.maxCredits !== maxCredits) {
    throw validationFailed([{ param: "maxCredits", message: "must be the same in the body and in the query" }]);
  }
  return { ...body, maxCredits };
}
