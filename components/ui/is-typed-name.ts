/**
 * Whether a thing's name was typed as the reader sees it: a page draws several spaces as one, and keyboards write letters
 * with marks as one character, where names of files may have two.
 * @param name undefined: none has to be typed
 */
export function isTypedName(typed: string, name: string | undefined): boolean {
  return name === undefined || asSeen(typed) === asSeen(name);
}

function asSeen(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ").trim();
}
