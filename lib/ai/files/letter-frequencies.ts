/**
 * How often the letters beyond ASCII stand in texts of a language, in parts of any whole. Of rare ones it matters that they are
 * there, more than how often.
 */

/** Languages that Windows-1252 has all letters of. */
export const WESTERN_LETTERS: readonly string[] = [
  // German, French, Spanish, Portuguese, Italian, Catalan
  "ä56 ö30 ü65 ß31 é1",
  "é190 è27 à49 ê22 ç9 â5 î4 ô2 û6 ù6 ë1 ï1 œ2 ü1 ÿ1 æ1",
  "á50 é43 í73 ñ31 ó83 ú17 ü1",
  "ã73 ç53 á45 é40 ê25 í30 ó30 õ15 ú12 à10 â6 ô4 ü1",
  "è80 à64 ù30 ò30 ì12 é8 î1",
  "à40 é25 è20 ó25 ò10 í30 ú8 ç6 ï4 ü2",
  // Danish and Norwegian, Swedish and Finnish, Icelandic, Faroese, Estonian
  "å119 æ87 ø94 é3 ò1 ó1 ô1",
  "ä200 ö130 å90 é3",
  "á180 ð439 í157 þ145 ó99 æ87 ö78 é65 ú61 ý23",
  "ð300 á180 í160 ø120 ó90 ú70 ý30 æ60",
  "ä187 ö15 õ88 ü114 š1 ž1",
  // Dutch, Albanian, Irish, Scottish Gaelic, Welsh
  "ë15 é20 ï5 è3 ö2 ü2 ê1",
  "ë100 ç7",
  "á100 é40 í80 ó40 ú35",
  "à60 ì25 ò20 è10 ù25",
  "ô20 â12 ŷ2 ê6 î4 û4 ö2 ï2 ë1 á1",
];

/** All letters of Windows-1252, as they may stand in a table of names from everywhere. */
export const ALL_WESTERN_LETTERS = "ßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿœšž";

/** Languages of other encodings, by those that texts of them came in. */
export const FOREIGN_LETTERS: readonly { encodings: readonly string[]; letters: readonly string[] }[] = [
  {
    encodings: ["windows-1250", "iso-8859-2", "cp852"],
    letters: [
      // Polish, Czech, Slovak, Hungarian, Croatian, Slovenian, Romanian
      "ą70 ć74 ę104 ł211 ń36 ó114 ś81 ź8 ż71",
      "í164 á87 ě122 é63 č46 ř38 š69 ž72 ý100 ů20 ú10 ň8 ť5 ď4 ó4",
      "á190 í130 č100 é80 š80 ž80 ý90 ú80 ľ40 ť60 ň20 ď20 ô20 ä10 ó10 ĺ2 ŕ1",
      "á337 é352 í60 ó110 ö82 ő88 ú29 ü66 ű16",
      "č110 ć60 đ20 š100 ž60",
      "č130 š100 ž70",
      "ă350 â100 î120 ş130 ţ120",
    ],
  },
  // Of the West, as older programs on a Mac write their tables: the same letters in other places.
  { encodings: ["macintosh"], letters: WESTERN_LETTERS },
  // And programs of DOS.
  { encodings: ["cp850"], letters: WESTERN_LETTERS },
  { encodings: ["windows-1254", "cp857"], letters: ["ı510 ş180 ğ110 ü190 ç120 ö80 â5 î2"] },
  {
    encodings: ["windows-1257"],
    letters: [
      // Lithuanian, Latvian
      "ė180 š130 ų140 ž90 ą80 į60 ū50 č40 ę25",
      "ā390 ī200 ē170 š110 ū50 ņ40 ļ40 ž30 ķ20 č10 ģ15",
    ],
  },
  // With its tones as characters of their own, or in one with the letter.
  {
    encodings: ["windows-1258"],
    letters: [
      "đ100 ư110 ô80 â75 ơ70 ê65 ă35 à50 á50 è5 é5 ù10 ú10 ó10 í10 \u0300150 \u0301180 \u0303160 \u030960 \u0323170",
    ],
  },
];
