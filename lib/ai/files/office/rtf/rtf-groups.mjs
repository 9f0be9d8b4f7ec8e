/** Groups whose text is not the document's, also where no star says that they may be passed over. */
const SKIPPED = new Set(
  (
    "colortbl stylesheet info fldinst pict objdata objclass objname nonshppict nonesttables xe tc rxe revtbl filetbl listtable " +
    "listoverridetable rsidtbl generator themedata colorschememapping datastore latentstyles xmlnstbl pgptbl template sp sn sv " +
    "bkmkstart bkmkend ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn atrfstart atrfend atnref atnid atndate atntime atnparent"
  ).split(" "),
);
/** Behind a star, and still read. */
const READ = new Set(["shppict", "shpinst", "annotation", "atnauthor", "pntext", "nesttableprops"]);

const HEADERS = "[Headers and footers]";
/** Groups that are texts of their own, by where they are shown. */
const STORIES = new Map([
  ["footnote", "[Footnotes]"],
  ["annotation", "[Comments]"],
  ["shptxt", "[Boxes]"],
  ...["header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf"].map((name) => [
    name,
    HEADERS,
  ]),
]);
/** In the order in which they are shown. */
export const STORY_TITLES = ["[Footnotes]", "[Comments]", "[Boxes]", HEADERS];

/** Groups whose text is kept for itself: the mark of a list's item, who wrote a comment, the names of fonts. */
const KEPT = new Map([
  ["listtext", "mark"],
  ["pntext", "mark"],
  ["atnauthor", "author"],
  ["fonttbl", "fonts"],
]);

/**
 * What a word at the beginning of a group makes of it.
 * @param {boolean} isStarred whether readers that do not know the word are to pass over the group
 * @returns {{ isSkipped?: true, story?: string, kept?: string }}
 */
export function groupOf(word, isStarred) {
  const story = STORIES.get(word);
  if (story) return { story };
  const kept = KEPT.get(word);
  if (kept) return { kept };
  return SKIPPED.has(word) || (isStarred && !READ.has(word)) ? { isSkipped: true } : {};
}
