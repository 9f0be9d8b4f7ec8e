/** What is said of characters, until their group ends. */
export const LOOKS = new Map([
  ["uc", (group, number = 1) => Object.assign(group, { skip: Math.max(0, number) })],
  ["plain", (group) => Object.assign(group, { isDeleted: false, isStruck: false, isRaised: false, isHidden: false })],
  ["deleted", (group, number) => Object.assign(group, { isDeleted: number !== 0 })],
  ["strike", (group, number) => Object.assign(group, { isStruck: number !== 0 })],
  ["striked", (group, number) => Object.assign(group, { isStruck: number !== 0 })],
  ["v", (group, number) => Object.assign(group, { isHidden: number !== 0 })],
  ["super", (group, number) => Object.assign(group, { isRaised: number !== 0 })],
  ["nosupersub", (group) => Object.assign(group, { isRaised: false })],
]);

/** What is said of paragraphs, until it is taken back. */
export const PARAGRAPHS = new Map([
  ["pard", (paragraph) => Object.assign(paragraph, { isInTable: false, heading: undefined, level: 0 })],
  ["intbl", (paragraph) => Object.assign(paragraph, { isInTable: true })],
  [
    "outlinelevel",
    (paragraph, number = 9) => Object.assign(paragraph, { heading: number < 9 ? number + 1 : undefined }),
  ],
  ["ilvl", (paragraph, number = 0) => Object.assign(paragraph, { level: Math.min(Math.max(number, 0), 8) })],
]);

export function newParagraph() {
  return { text: "", mark: "", isInTable: false, heading: undefined, level: 0 };
}

/**
 * What MarkdownWriter takes of a paragraph.
 * @returns {[text: string, manner: object]}
 */
export function shownAs(text, mark, { heading, level }) {
  if (heading) return [mark === "" ? text : `${mark} ${text.trimStart()}`, { heading }];
  if (mark === "") return [text, {}];
  // A bullet is a sign, a number has a digit or a letter.
  return [text, { list: { level, mark: /[\p{L}\p{N}]/u.test(mark) ? mark : "-" } }];
}

/** Without what no reader sees. */
export function tidy(text) {
  return text.replace(/[\x00-\x08\x0b-\x1f]/g, "").toWellFormed();
}
