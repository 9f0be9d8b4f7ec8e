/** What the look of a piece of text says of it, as characters: raised digits, and what is struck out. */

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

/** Text behind other text, marked as Markdown does where it is struck out: it no longer holds. */
export function appendRun(before, text, { isRaised = false, isStruck = false } = {}) {
  const shown = isRaised ? raise(text) : text;
  if (!isStruck || shown.trim() === "") return before + shown;
  return before.endsWith(STRUCK) ? before.slice(0, -STRUCK.length) + shown + STRUCK : before + STRUCK + shown + STRUCK;
}
