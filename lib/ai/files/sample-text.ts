import { detectKind } from "@/lib/ai/files/detect-kind";
import type { DetectedFile } from "@/lib/ai/files/file-kinds";

/** What a file is found to be, of whatever a test knows of it. */
export function detect(
  content: string | Uint8Array,
  name = "file",
  contentType = "application/octet-stream",
  isWhole = true,
): Promise<DetectedFile> {
  return detectKind({ head: typeof content === "string" ? Buffer.from(content) : content, isWhole, name, contentType });
}

export const CSV = "name,amount\nAnna,12\nBen,14\n";
