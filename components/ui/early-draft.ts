/** What somebody has written in a plain field, and where they are in it. */
export interface WrittenDraft {
  text: string;
  /** Of the selection, in UTF-16 units; equal for a caret. */
  start: number;
  end: number;
  isFocused: boolean;
  scrollTop: number;
}

/** What was found in a field at its first look: React may look again after it has put the first text back. */
const found = new WeakMap<HTMLTextAreaElement, WrittenDraft>();

/**
 * What was written into a field of the server's page before React took it over: React then writes the text of the server
 * into it again. Call it while the component is drawn first. Null: nothing was written, or there is no page yet.
 */
export function readDraft(id: string, original: string): WrittenDraft | null {
  if (typeof document === "undefined") return null;
  const field = document.getElementById(id);
  if (!(field instanceof HTMLTextAreaElement)) return null;
  if (field.value === withPlainBreaks(original)) return found.get(field) ?? null;
  const draft = takeDraft(field);
  found.set(field, draft);
  return draft;
}

export function takeDraft(field: HTMLTextAreaElement): WrittenDraft {
  const { value, selectionStart, selectionEnd, scrollTop } = field;
  const isFocused = document.activeElement === field;
  return { text: value, start: selectionStart, end: selectionEnd, isFocused, scrollTop };
}

export function writeDraft(field: HTMLTextAreaElement, { text, start, end, scrollTop }: WrittenDraft): void {
  field.value = text;
  field.setSelectionRange(start, end);
  field.scrollTop = scrollTop;
}

/** As the value of a field has them. */
function withPlainBreaks(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}
