import { checkReceiverUrl } from "@/lib/domain/receiver-url";
import { env } from "@/lib/env";

/**
 * The address of a call's own receiver as it will be used; undefined when none was given.
 * @throws AppError URL_NOT_HTTPS, URL_NOT_ALLOWED
 */
export function checkCallbackUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  checkReceiverUrl(text, { allowedHosts: env().OUTBOUND_ALLOWED_HOSTS, param: "callbackUrl" });
  return text;
}
