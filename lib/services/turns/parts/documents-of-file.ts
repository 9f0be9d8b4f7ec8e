import type { LikelyPage } from "@/lib/ai/files/pages/look-at-pages";
import type { UnderstoodFile } from "@/lib/ai/files/understood-file";
import { splitBlocks } from "@/lib/domain/prompt-blocks";
import type { WholeDocument } from "@/lib/services/turns/parts/cut-document";

/** What of a file is cut into parts. Pictures are for the last call, which sees them as they are. */
export function documentsOfFile(
  fileId: string,
  { parts, extraction }: Pick<UnderstoodFile, "parts" | "extraction">,
  pages: readonly LikelyPage[] = [],
): WholeDocument[] {
  if (extraction.kind === "image") return [];
  const { pages: pageCount, sheets, slides } = extraction;
  return parts.flatMap((part) => {
    const block = part.type === "text" ? splitBlocks(part.text).blocks[0] : undefined;
    if (!block) return [];
    const { name, kind, text, note } = block;
    return [
      {
        ...{ name, kind, text, pages: pageCount, sheets, slides },
        ...(note !== undefined && { note }),
        ...(pages.length > 0 && { pictures: { fileId, pages } }),
      },
    ];
  });
}
