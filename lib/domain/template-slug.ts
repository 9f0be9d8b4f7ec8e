/** Longest slug before a number is put behind it. */
const MAX_SLUG_CHARACTERS = 80;

const FALLBACK_SLUG = "template";

/** Letters that compatibility decomposition leaves whole, as they are commonly written without them. */
const WRITTEN_AS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ħ: "h",
  ı: "i",
};

/**
 * The slug of a name (§2.3): lower case with hyphens, `a` to `z` and digits only. Accents go, what cannot be written in
 * these letters becomes a hyphen; a name of nothing else is `template`. Not yet unique: the number behind it is the
 * business of who stores it.
 */
export function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[ßæœøłđðþħı]/g, (letter) => WRITTEN_AS[letter] ?? "")
    .replace(/[\p{M}'’]+/gu, "")
    // Decomposition can bring capitals back: of ℌ, ™ and the like.
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, MAX_SLUG_CHARACTERS)
    .replace(/-$/, "");
  return slug === "" ? FALLBACK_SLUG : slug;
}
