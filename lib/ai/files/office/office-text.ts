import type { OfficeKind } from "@/lib/ai/files/file-kinds";

/** What is read of a document. */
export interface OfficeText {
  kind: OfficeKind;
  /** The sheets or slides that were read, in order; a text document is one section. */
  sections: { title?: string; text: string }[];
  /** All sheets or slides of the document. */
  sectionCount: number;
  /** The limit of characters was reached. */
  isCut: boolean;
  /** What the document also holds, counted as far as it was read. */
  skipped: { pictures?: number; charts?: number; embeddedFiles?: number };
}
