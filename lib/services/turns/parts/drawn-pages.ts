import type { Extraction } from "@/lib/ai/files/file-kinds";
import type { Transaction } from "@/lib/db/pool";
import { joinPageLists } from "@/lib/domain/page-pictures";
import type { DrawnPages } from "@/lib/services/turns/parts/turn-part";

/** Notes with a stored file's record what its parts have shown. The turn that reads it must be locked. */
export async function noteDrawnPages(tx: Transaction, fileId: string, drawn: readonly DrawnPages[]): Promise<void> {
  const { rows } = await tx.query<{ extraction: Extraction | null }>({
    name: "file-extraction",
    text: "SELECT extraction FROM stored_files WHERE id = $1",
    values: [fileId],
  });
  const extraction = rows[0]?.extraction;
  if (!extraction) return;
  await tx.query({
    name: "note-extraction",
    text: "UPDATE stored_files SET extraction = $2 WHERE id = $1",
    values: [fileId, JSON.stringify(drawn.reduce(withDrawn, extraction))],
  });
}

/** The record of a file with what one more of its parts has shown. */
function withDrawn(extraction: Extraction, { shown, unreadable, tokens }: DrawnPages): Extraction {
  const { skipped } = extraction;
  return {
    ...extraction,
    tokens: extraction.tokens + tokens,
    ...(shown.length > 0 && {
      picturePages: (extraction.picturePages ?? 0) + shown.length,
      picturePageNumbers: joinPageLists(extraction.picturePageNumbers, shown),
    }),
    ...(unreadable.length > 0 && {
      skipped: {
        ...skipped,
        pages: (skipped?.pages ?? 0) + unreadable.length,
        pageNumbers: joinPageLists(skipped?.pageNumbers, unreadable),
        pagesReason: skipped?.pagesReason ?? "unreadable",
      },
    }),
  };
}
