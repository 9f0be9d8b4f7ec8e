/** What a file is that cannot be read, in words for its sender, and what they can do about it. */
export interface UnreadKind {
  label: string;
  advice: string;
}

/** What nothing tells the kind of. */
export const UNKNOWN_KIND: UnreadKind = {
  label: "a binary file of an unknown kind, or text in an encoding that cannot be told",
  advice: "Save a text as UTF-8, a document as PDF, a picture as PNG, and sound as MP3.",
};

/** As mails that are for one reader alone (P7M). */
export const ENCRYPTED_KIND: UnreadKind = { label: "an encrypted file", advice: "Send it without encryption." };

/** @param mediaType as its content says it; never the sender's own text */
export function describeUnread(mediaType: string): UnreadKind {
  return { label: labelOf(mediaType), advice: ADVICE.find(([kinds]) => kinds.test(mediaType))?.[1] ?? SAVE_AS_PDF };
}

const SAVE_AS_PDF = "Save it as PDF.";

const ADVICE: readonly [kinds: RegExp, advice: string][] = [
  [/^image\/|dicom/, "Send it as JPEG or PNG."],
  [/^audio\/|x-ms-asf|rn-realmedia/, "Save it as MP3, M4A or WAV."],
  [/ms-asf|^application\/ogg/, "Save it as MP3 or MP4."],
  [/^video\/|mxf|shockwave/, "Save it as MP4."],
  [/mobipocket/, "Save it as EPUB or PDF."],
  [/apple\.(pages|numbers|keynote)/, "Save it as DOCX, XLSX, PPTX or PDF."],
  [/ms-outlook/, "Save its messages one by one, as MSG or EML."],
  [/sqlite|arrow|parquet|avro|spss|jmp|esri-shape/, "Save its tables as CSV or XLSX."],
  [/pgp-encrypted/, "Send it without encryption."],
  [
    /gzip|7z|x-tar|rar|bzip2|x-xz|lzip|lzh|zstd|lz4|x-compress|cab-compressed|x-arj|x-ace|cpio|unix-archive|x-deb|x-rpm|iso9660|diskimage|xpinstall|chrome-extension|android|java-archive|x-asar/,
    "Send the files in it one by one.",
  ],
  [
    /msdownload|x-elf|mach-binary|wasm|java-vm|shortcut|alias|^font\/|fontobject|nintendo|regedit|registry/,
    "Send what it is about as text or PDF.",
  ],
];

const APPLE_LABEL = "a document of Pages, Numbers or Keynote";

/** In words for the sender; never the sender's own text. */
function labelOf(mediaType: string): string {
  const known = LABELS[mediaType];
  if (known) return known;
  const [group = "", kind = ""] = mediaType.split("/");
  const shortKind = kind.replace(/^(x-|vnd\.)/, "");
  if (group === "audio") return `an audio file (${shortKind})`;
  if (group === "video") return `a video (${shortKind})`;
  if (group === "image") return `an image (${shortKind})`;
  return `a file of the kind ${mediaType}`;
}

const LABELS: Record<string, string> = {
  "application/vnd.apple.pages": APPLE_LABEL,
  "application/vnd.apple.numbers": APPLE_LABEL,
  "application/vnd.apple.keynote": APPLE_LABEL,
  "application/vnd.visio": "a Visio drawing",
  "application/postscript": "a PostScript file",
  "application/eps": "a PostScript file",
  "application/gzip": "a GZIP archive",
  "application/x-7z-compressed": "a 7-Zip archive",
  "application/x-tar": "a TAR archive",
  "application/vnd.rar": "a RAR archive",
  "application/x-rar-compressed": "a RAR archive",
  "application/ogg": "a recording (OGG) of an unknown kind",
  "audio/x-ms-asf": "an audio file (WMA)",
  "audio/amr": "an audio file (AMR)",
  "audio/aiff": "an audio file (AIFF)",
  "video/x-ms-asf": "a video (WMV)",
  "application/vnd.ms-asf": "a recording (WMA or WMV)",
  "application/x-mobipocket-ebook": "an e-book (MOBI)",
  "application/x-msdownload": "a Windows program",
  "application/x-elf": "a program",
  "application/wasm": "a program (WebAssembly)",
  "application/vnd.sqlite3": "a database (SQLite)",
  "application/x-sqlite3": "a database (SQLite)",
};
