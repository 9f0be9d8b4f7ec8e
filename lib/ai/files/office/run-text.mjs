/** What the look of a piece of text says of it, as characters: raised digits, what is struck out, and what nobody sees. */

const RAISED = new Map([..."0123456789+-−()n"].map((character, index) => [character, [..."⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁽⁾ⁿ"][index]]));

/** Numbers of notes and powers are short. */
export const MAX_RAISED_CHARACTERS = 100;

/** 10 with a raised 6 is no 106, and 19 with raised 99 no 1999. Other raised text (1st, ™) reads well as it is, and so does a long one. */
export function raise(text) {
  if (text.length > MAX_RAISED_CHARACTERS) return text;
  const characters = [...text.trim()];
  if (!characters.every((character) => RAISED.has(character))) return text;
  return text.replace(/\S/gu, (character) => RAISED.get(character));
}

const STRUCK = "~~";

const HIDDEN_END = "]";
const HIDDEN_AT_END = /\[Not shown: [^\]]{0,1000}\]$/;

/**
 * Text behind other text, marked as Markdown does where it is struck out: it no longer holds. What is hidden says so: it is there,
 * and nobody who looks at the document sees it.
 */
export function appendRun(before, text, { isRaised = false, isStruck = false, isHidden = false } = {}) {
  const shown = isRaised ? raise(text) : text;
  if (shown.trim() === "" || !(isStruck || isHidden)) return before + shown;
  if (isHidden) return appendHidden(before, shown);
  return before.endsWith(STRUCK) ? before.slice(0, -STRUCK.length) + shown + STRUCK : before + STRUCK + shown + STRUCK;
}

function appendHidden(before, text) {
  const isOpen = before.endsWith(HIDDEN_END) && HIDDEN_AT_END.test(before.slice(-MAX_HIDDEN_CHARACTERS));
  return isOpen ? before.slice(0, -HIDDEN_END.length) + text + HIDDEN_END : `${before}[Not shown: ${text}${HIDDEN_END}`;
}

/** A longer one is marked piece by piece. */
const MAX_HIDDEN_CHARACTERS = 1_020;
