import { checkReceiverUrl } from "@/lib/domain/receiver-url";
import { env } from "@/lib/env";

/**
 * The rules for a receiver's address, as far as its text tells; the rest is checked at each attempt (contract §8).
 * @throws AppError URL_NOT_HTTPS, URL_NOT_ALLOWED
 */
export function checkWebhookUrl(url: string): void {
  checkReceiverUrl(url, { allowedHosts: env().OUTBOUND_ALLOWED_HOSTS });
}
