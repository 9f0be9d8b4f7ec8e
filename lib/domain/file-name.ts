/** Longest name that is kept, in bytes of UTF-8: what common file systems allow when a client saves it. */
export const MAX_FILE_NAME_BYTES = 255;

const FALLBACK_NAME = "file";
/** Longest ending that is worth keeping when a name is cut, in bytes. */
const MAX_ENDING_BYTES = 16;

/**
 * Characters that no shown name needs: controls, line and paragraph separators, zero-width characters, bidirectional
 * overrides (which make `exe.txt` out of `txt.exe`), tags, non-characters. Joiners stay: scripts and emoji need them.
 */
const UNWANTED =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

/** Joiners and fillers that may stand in a name, but make none: nobody sees the link that has it. */
const NOTHING_SHOWN = /^[\p{Default_Ignorable_Code_Point}\s]*$/u;

/**
 * The client's name of a file, made safe for showing: last part of a path only, no control or direction characters,
 * at most 255 bytes with the ending kept. It is a label; it is never part of a path or a key (goals: files).
 */
export function safeDisplayName(name: string | null | undefined): string {
  const lastPart =
    (name ?? "")
      .replace(/\p{Surrogate}/gu, "\uFFFD")
      .normalize("NFC")
      .split(/[/\\]/)
      .at(-1) ?? "";
  const clean = lastPart
    .replace(UNWANTED, "")
    .replace(/\s+/gu, " ")
    .trim()
    // Looks only from where a run begins: from each of its characters, thousands of dots would take quadratic time.
    .replace(/(?<![. ])[. ]+$/u, "");
  return NOTHING_SHOWN.test(clean) ? FALLBACK_NAME : cut(clean);
}

function cut(name: string): string {
  if (byteLength(name) <= MAX_FILE_NAME_BYTES) return name;
  const dot = name.lastIndexOf(".");
  const ending = dot > 0 && byteLength(name.slice(dot)) <= MAX_ENDING_BYTES ? name.slice(dot) : "";
  let stem = "";
  let room = MAX_FILE_NAME_BYTES - byteLength(ending);
  for (const character of name.slice(0, name.length - ending.length)) {
    room -= byteLength(character);
    if (room < 0) break;
    stem += character;
  }
  return stem + ending;
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
