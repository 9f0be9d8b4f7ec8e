/** Kinds of text, which differ in how they are read and named to the model. */
export type TextKind = "text" | "markdown" | "csv" | "json" | "html" | "xml" | "source" | "mail";

export type OfficeKind = WorkbookKind | "docx" | "doc" | "rtf" | "odt" | "epub" | SlidesKind;

export type SlidesKind = "pptx" | "ppt" | "odp";

/** XLS is also a workbook as one XML, of Excel 2003. */
export type WorkbookKind = "xlsx" | "xls" | "xlsb" | "ods";

/** Documents of pages, which are shown as pictures where they hold no text. */
export type PagedKind = "pdf" | "tiff";

/** Pictures that models do not take as they are: HEIC and AVIF, which share their container, and bitmaps. */
export type ForeignImage = "heif" | "bmp";

export type FileKind = TextKind | OfficeKind | PagedKind | "image" | "audio" | "video";

/** Containers of sound that transcription takes; the last two may hold moving pictures too. */
export type SoundFormat = "mp3" | "wav" | "m4a" | "ogg" | "flac" | "mp4" | "webm";

/** What a file of sound says of itself. */
export interface SoundFacts {
  /** Absent when the file does not say it. */
  seconds?: number;
  /** False only when the file says that there is none. */
  hasSound: boolean;
  hasPictures: boolean;
}

/** A recording that ends before it is done, as one whose copying broke off. */
export interface BreakOff {
  /** So much of it is missing. Absent when the file does not say it. */
  seconds?: number;
}

/** What a file is, by its content. `label` names an unsupported one in words for its sender, `advice` says what to do. */
export type DetectedFile =
  | { kind: TextKind; encoding: string }
  | { kind: PagedKind }
  | { kind: "image"; mediaType: string }
  | { kind: "foreign-image"; format: ForeignImage }
  /** A ZIP whose parts say whether it is an Office document. */
  | { kind: "archive" }
  /** The container of old Office formats, of messages of Outlook and of locked documents; and Outlook's other one, of messages alone. */
  | { kind: "compound" }
  /** A workbook as one XML, as Excel 2003 wrote it. */
  | { kind: "workbook" }
  | { kind: "rich-text" }
  /** Any other file inside of its signature. */
  | { kind: "signed" }
  /** Without a format: in a container that transcription does not take. */
  | { kind: "sound"; format?: SoundFormat }
  | { kind: "unsupported"; label: string; advice: string };

/** What was read of a file and what was left out; kept with the stored file as JSON. */
export interface Extraction {
  kind: FileKind;
  /** E.g. "utf-8", for texts. */
  encoding?: string;
  /** Characters given to the model. */
  characters?: number;
  /** Pages of the whole document. */
  pages?: number;
  /** Pages without text that were shown to the model as pictures. */
  picturePages?: number;
  /** Which: "3, 5-7". */
  picturePageNumbers?: string;
  /** Sheets of the whole workbook. */
  sheets?: number;
  /** Slides of the whole presentation. */
  slides?: number;
  /** Records of a table or of a workbook's sheets given to the model, headings included. */
  rows?: number;
  /** Length of the sound that was transcribed. Absent when neither the file nor the provider says it. */
  seconds?: number;
  /** The model that transcribed it. */
  transcribedBy?: string;
  /** Present of a recording that ends before it is done. */
  breaksOff?: BreakOff;
  /** Pixels. */
  width?: number;
  /** Pixels. */
  height?: number;
  /** Pictures that were shown to the model, of a document that is little else. */
  pictures?: number;
  /** How many pictures a long one was cut into. */
  pieces?: number;
  /** Estimated tokens given to the model. */
  tokens: number;
  /** Present when the file was not read to its end. */
  leftOut?: LeftOut;
  /** What the file also holds and what is never read of its kind. */
  skipped?: Skipped;
}

export interface LeftOut {
  /** The model's window was full, or the file is larger than is read at once. */
  reason: "window" | "size";
  /** At least so many characters, of the part of the file that was looked at. */
  characters?: number;
  /** Pages of which nothing was read. */
  pages?: number;
  /** Sheets of which nothing was read. */
  sheets?: number;
  /** Slides of which nothing was read. */
  slides?: number;
  /** Bytes of the file that were not looked at. */
  bytes?: number;
}

export interface Skipped {
  pictures?: number;
  charts?: number;
  embeddedFiles?: number;
  /** The moving pictures of a video. */
  frames?: true;
  /** Pages without text that were not shown as pictures either. */
  pages?: number;
  /** Which: "1001-1200". */
  pageNumbers?: string;
  /** Why not: there are too many of them, the model takes no pictures, or they cannot be drawn. */
  pagesReason?: "limit" | "model" | "unreadable";
}
