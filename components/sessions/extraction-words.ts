import { formatNumber as format } from "@/components/ui/format-number";

/** What was read of a file, as the context receipt carries it: figures by name, different ones for each kind. */
type Figures = Record<string, unknown>;

/** What was read of a file, what was not for want of room or since it is missing, and what is never read of its kind; in words. */
export interface ExtractionWords {
  read: string;
  leftOut: string | null;
  skipped: string | null;
}

/** Says in words what a receipt says in figures; those of another release that are not known are left out. */
export function extractionWords(receipt: Figures): ExtractionWords {
  const { leftOut, breaksOff, skipped } = receipt;
  const missing = [isFigures(leftOut) && leftOutWords(leftOut), isFigures(breaksOff) && breakWords(breaksOff)];
  return {
    read: [kindWords(receipt), ...countWords(receipt, READ)].filter(Boolean).join(", ") + pictureWords(receipt),
    leftOut: missing.filter(Boolean).join("; ") || null,
    skipped: isFigures(skipped) ? skippedWords(skipped) : null,
  };
}

type Unit = readonly [figure: string, one: string, many: string];

const READ: Unit[] = [
  ["pages", "page", "pages"],
  ["picturePages", "page shown as a picture", "pages shown as pictures"],
  ["pieces", "piece", "pieces"],
  ["sheets", "sheet", "sheets"],
  ["slides", "slide", "slides"],
  ["pictures", "picture shown", "pictures shown"],
  ["rows", "row", "rows"],
  ["characters", "character", "characters"],
  ["seconds", "second of sound", "seconds of sound"],
  ["tokens", "token", "tokens"],
];

const LEFT_OUT: Unit[] = [
  ["pages", "page", "pages"],
  ["sheets", "sheet", "sheets"],
  ["slides", "slide", "slides"],
  ["characters", "character", "characters"],
  ["bytes", "byte", "bytes"],
];

const MISSING: Unit[] = [["seconds", "second of sound", "seconds of sound"]];

const SKIPPED: Unit[] = [
  ["pictures", "picture", "pictures"],
  ["charts", "chart", "charts"],
  ["embeddedFiles", "embedded file", "embedded files"],
  ["pages", "page without text", "pages without text"],
];

const PAGES_REASONS: Record<string, string> = {
  limit: "too many to show as pictures",
  model: "the model takes no pictures",
  unreadable: "they could not be drawn",
};

function kindWords({ kind, width, height }: Figures): string {
  const name = typeof kind === "string" ? kind.toUpperCase() : "";
  return isCount(width) && isCount(height) ? `${name} ${format(width)} × ${format(height)} pixels` : name;
}

function pictureWords({ picturePageNumbers }: Figures): string {
  const list = pageList(picturePageNumbers);
  return list ? `; as pictures: pages ${list}` : "";
}

/** "3, 5-7", its beginning where it is long. */
function pageList(list: unknown): string {
  if (typeof list !== "string") return "";
  const end = list.length > MAX_LIST_CHARACTERS ? list.lastIndexOf(",", MAX_LIST_CHARACTERS) : -1;
  return end > 0 ? `${list.slice(0, end)} and more` : list;
}

const MAX_LIST_CHARACTERS = 80;

function leftOutWords(figures: Figures): string {
  const counts = countWords(figures, LEFT_OUT);
  const reason = figures.reason === "size" ? "the file is larger than is read at once" : "the model's window was full";
  return `${counts.length > 0 ? counts.join(", ") : "Its end"}: ${reason}`;
}

function breakWords(figures: Figures): string {
  const counts = countWords(figures, MISSING);
  return `${counts.length > 0 ? `about ${counts.join(", ")}` : "its end"}: the recording breaks off`;
}

function skippedWords(figures: Figures): string | null {
  const counts = countWords(figures, SKIPPED);
  if (figures.frames === true) counts.push("the moving pictures");
  if (counts.length === 0) return null;
  const reason = PAGES_REASONS[String(figures.pagesReason)];
  const more = [pageList(figures.pageNumbers), reason].filter(Boolean).join(": ");
  return more ? `${counts.join(", ")} (${more})` : counts.join(", ");
}

function countWords(figures: Figures, units: Unit[]): string[] {
  return units.flatMap(([figure, one, many]) => {
    const count = figures[figure];
    if (!isCount(count) || count === 0) return [];
    return [`${format(Math.round(count))} ${Math.round(count) === 1 ? one : many}`];
  });
}

const isCount = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isFigures = (value: unknown): value is Figures => typeof value === "object" && value !== null;
