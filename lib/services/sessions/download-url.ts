import type { OutputType } from "@/lib/domain/session-status";
import { env } from "@/lib/env";

/** Where a binary output is fetched (§2.2); null for text. */
export function downloadUrl(sessionId: string, outputType: OutputType | null): string | null {
  if (outputType === null || outputType === "text") return null;
  return `${env().APP_URL}/api/v1/process/${sessionId}/download`;
}
