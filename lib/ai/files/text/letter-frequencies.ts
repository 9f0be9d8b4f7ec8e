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

/** Languages of Cyrillic letters, all their letters in parts of about a thousand. */
export const CYRILLIC_LETTERS: readonly string[] = [
  // Russian, Ukrainian, Belarusian, Bulgarian, Serbian, Macedonian
  "о110 е87 а80 и74 н67 т63 с55 р47 в45 л44 к35 м32 д30 п28 у26 я20 ы19 ь17 г17 з16 б16 ч14 й12 х10 ж9 ш7 ю6 ц5 щ4 э3 ф3 ъ1 ё1",
  "о94 а85 н68 и62 і58 в55 т55 е50 р47 с42 к39 л37 д33 у33 м30 п29 я22 з22 ь18 г17 б17 ч15 й13 х12 ц10 ї8 ж8 ю8 є6 ш6 щ4 ф3 ґ1",
  "а150 н65 і60 р48 е47 о45 с45 к40 т40 ы40 л38 д36 у35 я35 ц35 в33 м28 п27 з23 г20 б18 э17 ў17 ь15 ч14 й11 ш10 х10 ж8 ё8 ю8 ф2",
  "а120 и90 о90 е85 т75 н67 р50 с48 в43 д35 к35 л33 п30 м25 з22 я18 ъ18 г17 у16 б15 ч15 ц8 й8 ж7 щ6 х6 ш4 ю2 ф2 ь1 ѝ1",
  "а115 и97 о90 е87 н58 р48 с48 т45 ј45 у40 д37 к37 в37 л33 м33 п28 з17 г17 б15 ш9 ч9 ц8 ћ7 х7 ж6 њ6 љ5 ђ3 ф2 џ1",
  "а130 о100 е95 и90 т78 н70 р45 с45 в40 к38 д35 л30 п27 м22 у18 з18 ј17 г15 б13 ш8 ч6 ц6 ж6 ќ5 њ4 ф3 х3 љ2 ѓ2 ѕ1 џ1",
];

export const GREEK_LETTERS: readonly string[] = [
  "α85 ο80 τ80 ι65 ν65 ε62 σ50 ς45 η45 ρ42 κ42 π40 υ35 μ33 λ28 ί28 ό22 ά20 ω20 έ18 γ17 δ17 ή15 θ12 χ11 ύ10 φ9 ώ8 β7 ξ4 ζ4 ψ2 ϊ1 ΐ1 ϋ1 ΰ1",
];

export const HEBREW_LETTERS: readonly string[] = [
  "י110 ה100 ו100 ל75 א65 ר55 ת55 ב50 ש50 מ50 נ35 ע35 ם30 ד28 ח25 ק23 כ20 פ18 ט15 ס15 ן15 ג14 ז11 צ10 ך8 ף3 ץ3",
];

export const ARABIC_LETTERS: readonly string[] = [
  // Arabic, and Persian, which has no letters of its own for two of these in the encodings
  "ا130 ل115 ي70 م60 و60 ن55 ر50 ت45 ب38 ع38 ة35 د32 ه32 س28 ف28 ق25 أ25 ك24 ح22 ج16 ش13 ص12 إ12 خ10 ط10 ى10 ض8 ز7 ذ7 ث6 غ5 ء5 ئ4 ظ3 آ3 ؤ2 ـ1",
  "ا140 ي95 ر75 ن70 د65 ه60 و55 م52 ت45 ب40 ش38 س32 ز28 ل25 ک15 ك10 ف15 خ13 گ12 ع12 آ12 ق10 ج10 پ10 ح9 چ6 ط6 ص6 ض3 ذ2 ظ2 غ2 ئ2 ث1 ژ1 أ1 ء1",
];

export const THAI_LETTERS: readonly string[] = [
  "า69 ร56 น55 อ45 ่41 ก39 ้35 ม35 เ35 ง34 ั33 ว30 ย27 ท26 ด25 ี25 ล24 ิ23 ส23 บ21 ะ21 ค20 ต20 ห19 แ17 ป16 ไ15 จ14 ใ14 ข13 พ13 ช13 ์11 ุ10 ื9 ็8 ำ8 โ7 ู6 ผ5 ซ5 ึ5 ภ4 ศ4 ถ4 ณ3 ษ3 ธ3 ญ3 ฟ3 ๆ2 ฉ1 ฐ1 ฒ1 ฝ1 ฏ1 ฎ1 ฑ1 ฤ1 ฮ1 ฯ1 ๊1 ๋1",
];
