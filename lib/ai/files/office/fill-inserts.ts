import { detectKind } from "@/lib/ai/files/detect-kind";
import type { OfficeText } from "@/lib/ai/files/office/office-text";
import type { ReaderLimits } from "@/lib/ai/files/reader/run-reader";
import { toText } from "@/lib/ai/files/text/read-text";

/**
 * A file inside of a document whose text belongs to it: a document that was read already, another one (a page, where it is a book's
 * chapter), or one that cannot be read.
 */
export type Insert =
  | Pick<OfficeText, "sections" | "isCut" | "skipped">
  | { bytes: Uint8Array; isChapter?: boolean }
  | null;

/** For all of them together: each may take a process. */
const DEADLINE_MS = 30_000;

/** A document with the text of the files inside of it where their marks stand, each its number between two zeros. */
export async function fillInserts(
  { inserts = [], ...document }: OfficeText & { inserts?: Insert[] },
  limits: ReaderLimits,
): Promise<OfficeText> {
  if (inserts.length === 0) return document;
  const texts: string[] = [];
  let { isCut } = document;
  const skipped = { ...document.skipped };
  const endMs = performance.now() + DEADLINE_MS;
  let left = limits.maxCharacters;
  for (const insert of inserts) {
    if (left <= 0) {
      isCut = true;
      break;
    }
    const deadlineMs = endMs - performance.now();
    const read = deadlineMs > 0 ? await readInsert(insert, { ...limits, deadlineMs }) : undefined;
    const text = read?.text.trim() ?? "";
    texts.push(text.slice(0, left));
    isCut ||= text.length > left;
    left -= text.length;
    isCut ||= read?.isCut === true;
    const more = read ? (read.skipped ?? {}) : { embeddedFiles: 1 };
    for (const thing of ["pictures", "charts", "embeddedFiles"] as const) {
      const count = more[thing] ?? 0;
      if (count > 0) skipped[thing] = (skipped[thing] ?? 0) + count;
    }
  }
  const sections = document.sections.map((section) => ({ ...section, text: fill(section.text, texts) }));
  return { ...document, sections, isCut, skipped };
}

/** In a cell of a table it is one line, like all of it. Of the last mark a part may have been cut off. */
function fill(text: string, texts: string[]): string {
  const filled = text.replace(MARK, (_mark, before: string, number: string) => {
    const inserted = texts[Number(number)] ?? "";
    if (inserted === "") return "";
    return before === " " ? ` ${inserted.replace(/\s+/g, " ").replaceAll("|", "\\|")}` : before + inserted;
  });
  return filled.replace(/\0\d*$/, "").trim();
}

const MARK = /(^|\n\n| )\0(\d+)\0/g;

async function readInsert(
  insert: Insert,
  limits: ReaderLimits,
): Promise<{ text: string; isCut?: boolean; skipped?: OfficeText["skipped"] } | undefined> {
  if (insert === null) return undefined;
  if ("sections" in insert) return { ...insert, text: insert.sections.map(({ text }) => text).join("\n\n") };
  const { bytes, isChapter } = insert;
  if (bytes.byteLength === 0) return { text: "" };
  const found = await detectKind({ head: bytes, isWhole: true, name: "", contentType: "" });
  if (!("encoding" in found)) return undefined;
  return isChapter
    ? toText({ bytes, kind: "html", isTitled: false }, found.encoding)
    : toText({ bytes, kind: found.kind, limits }, found.encoding);
}
