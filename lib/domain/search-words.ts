import { bothEnds } from "@/lib/domain/search-pieces";

/** Words of a question by which a text is found that has them in another form: joined to others, or in another spelling. */

/** Each is looked for in all of a project's sections. */
const MAX_INNER_WORDS = 12;
/** How much of a word is looked for: without its ending. */
const LEAST_INNER_LETTERS = 4;
const INNER_SHARE = 0.7;
const LETTERS = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]{4,}/gu;

/**
 * What of a question's words none of the texts has, neither as a word nor at the beginning of one: it may stand at the end of
 * one, as languages join them ("Gebühr" in "Mahngebühr"). In lower case and without their endings.
 */
export function unmetStems(question: string, texts: readonly string[]): string[] {
  const words = Array.from(question.toLowerCase().matchAll(LETTERS), ([word]) => stemOf(word));
  const lower = texts.map((text) => text.toLowerCase());
  return bothEnds([...new Set(words)], 2 * MAX_INNER_WORDS)
    .filter((stem) => !lower.some((text) => beginsWord(text, stem)))
    .slice(0, MAX_INNER_WORDS);
}

function stemOf(word: string): string {
  return word.slice(0, Math.max(LEAST_INNER_LETTERS, Math.min(word.length - 2, Math.round(word.length * INNER_SHARE))));
}

function beginsWord(text: string, stem: string): boolean {
  for (let at = text.indexOf(stem); at !== -1; at = text.indexOf(stem, at + 1)) {
    if (!/\p{L}/u.test(text[at - 1] ?? "")) return true;
  }
  return false;
}

const UMLAUTS: Readonly<Record<string, string>> = { ae: "ä", oe: "ö", ue: "ü", ä: "ae", ö: "oe", ü: "ue", ß: "ss" };
const WORD = /\p{L}+/gu;

/**
 * Words of a question as they are also written in German: "Kuendigung" as "kündigung", "Straße" as "strasse", and the other way
 * round. What is no word so ("neü") meets nothing.
 */
export function otherSpellings(question: string): string[] {
  const words = Array.from(question.normalize("NFC").toLowerCase().matchAll(WORD), ([word]) => word);
  return [...new Set(words.flatMap(spellingsOf))];
}

function spellingsOf(word: string): string[] {
  if (/[äöüß]/.test(word)) return [word.replace(/[äöüß]/g, (letter) => UMLAUTS[letter] ?? "")];
  if (!/ae|oe|ue|ss/.test(word)) return [];
  const withUmlauts = word.replace(/ae|oe|ue/g, (letters) => UMLAUTS[letters] ?? "");
  return [withUmlauts, withUmlauts.replaceAll("ss", "ß")].filter((spelling) => spelling !== word);
}
