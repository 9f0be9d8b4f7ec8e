import { env } from "@/lib/env";

/**
 * Where a stored file is served from (§2.2 `fileUrl`), as the settings say it now: its row has the address of the day on which it
 * came, which leads nowhere once the service has another.
 */
export function fileUrl(storageKey: string): string {
  return `${env().STORAGE_URL}/files/${storageKey}`;
}
