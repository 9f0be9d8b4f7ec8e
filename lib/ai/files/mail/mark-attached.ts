import type { AttachedText } from "@/lib/ai/files/mail/attached-file";

/** What follows the text of a mail or of a PDF: the texts of the files that came along, and the names of those without. */
export function markAttached(attached: readonly AttachedText[]): string {
  const read = attached.flatMap(({ name, text }) =>
    text === undefined ? [] : [`\n\n[Attached file: ${name}]\n${text}`],
  );
  return (
    read.join("") +
    listUnder("[Attached files, below]", attached.filter(isBelow)) +
    listUnder("[Attachments, not here]", attached.filter(isUnread))
  );
}

/** How many of them are only named. */
export function countUnread(attached: readonly AttachedText[]): number {
  return attached.filter(isUnread).length;
}

const isBelow = (file: AttachedText): boolean => file.isBelow === true;
const isUnread = (file: AttachedText): boolean => file.text === undefined && !file.isBelow;

function listUnder(title: string, files: readonly AttachedText[]): string {
  const names = files.map(({ name, reason }) => (reason ? `${name}: ${reason}` : name));
  return names.length === 0 ? "" : `\n\n${title}\n${names.join("\n")}`;
}
