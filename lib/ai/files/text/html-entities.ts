/**
 * The character that an entity of HTML stands for, by its name without "&" and ";"; undefined for none. Numbers from 128 to 159
 * are Windows' own characters, as in browsers.
 */
export function readEntity(name: string): string | undefined {
  if (!name.startsWith("#")) return ENTITIES.get(name) ?? ENTITIES.get(name.toLowerCase());
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  if (code >= 0x80 && code <= 0x9f) return WINDOWS_CHARACTERS.charAt(code - 0x80);
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : undefined;
}

const WINDOWS_CHARACTERS = new TextDecoder("windows-1252").decode(
  Uint8Array.from({ length: 32 }, (_, at) => 0x80 + at),
);

/** Names of the characters from 160 to 255, in their order. */
const LATIN_NAMES =
  "nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml";

const ENTITIES = new Map<string, string>([
  ...LATIN_NAMES.split(" ").map((name, index): [string, string] => [
    name,
    index === 0 ? " " : String.fromCharCode(160 + index),
  ]),
  ...Object.entries({
    amp: "&",
    lt: "<",
    gt: ">",
    quot: '"',
    apos: "'",
    euro: "€",
    hellip: "…",
    ndash: "–",
    mdash: "—",
    bull: "•",
  }),
  ...Object.entries({
    lsquo: "‘",
    rsquo: "’",
    ldquo: "“",
    rdquo: "”",
    sbquo: "‚",
    bdquo: "„",
    trade: "™",
    larr: "←",
    rarr: "→",
    minus: "−",
    le: "≤",
    ge: "≥",
    ne: "≠",
    asymp: "≈",
    permil: "‰",
    thinsp: " ",
    ensp: " ",
    emsp: " ",
    check: "✓",
    Scaron: "Š",
    scaron: "š",
    OElig: "Œ",
    oelig: "œ",
  }),
]);

/** Further ones, which need their ";": without it they are words of addresses, as in "?a=1&part=2". */
export function readClosedEntity(name: string): string | undefined {
  return CLOSED_ENTITIES.get(name);
}

const SYMBOL_NAMES =
  "fnof Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho Sigma Tau Upsilon Phi Chi Psi Omega alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega thetasym upsih piv prime Prime oline frasl uarr darr harr lArr uArr rArr dArr hArr forall part exist empty nabla isin notin ni prod sum lowast radic prop infin ang and or cap cup int there4 sim cong equiv sub sup nsub sube supe oplus otimes perp sdot lceil rceil lfloor rfloor loz spades clubs hearts diams circ tilde dagger Dagger lsaquo rsaquo Yuml";
const SYMBOLS =
  "ƒΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρςστυφχψωϑϒϖ′″‾⁄↑↓↔⇐⇑⇒⇓⇔∀∂∃∅∇∈∉∋∏∑∗√∝∞∠∧∨∩∪∫∴∼≅≡⊂⊃⊄⊆⊇⊕⊗⊥⋅⌈⌉⌊⌋◊♠♣♥♦ˆ˜†‡‹›Ÿ";

const CLOSED_ENTITIES = new Map<string, string>([
  ...SYMBOL_NAMES.split(" ").map((name, index): [string, string] => [name, SYMBOLS.charAt(index)]),
  ["frac13", "⅓"],
  ["frac23", "⅔"],
  ["zwnj", "\u200c"],
  ["zwj", "\u200d"],
  // They say how a line is set.
  ["lrm", ""],
  ["rlm", ""],
]);
