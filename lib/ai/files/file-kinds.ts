/** Kinds of text, which differ in how they are read and named to the model. */
export type TextKind = "text" | "markdown" | "csv" | "json" | "html" | "xml" | "source";

export type FileKind = TextKind | "pdf" | "image";

/** What a file is, by its content. `label` names an unsupported one in words for its sender. */
export type DetectedFile =
  | { kind: TextKind; encoding: string }
  | { kind: "pdf" }
  | { kind: "image"; mediaType: string }
  | { kind: "unsupported"; label: string };

/** What was read of a file and what was left out; kept with the stored file as JSON. */
export interface Extraction {
  kind: FileKind;
  /** E.g. "utf-8", for texts. */
  encoding?: string;
  /** Characters given to the model. */
  characters?: number;
  /** Pages of the whole document. */
  pages?: number;
  /** Records of a table given to the model, its heading included. */
  rows?: number;
  /** Pixels. */
  width?: number;
  /** Pixels. */
  height?: number;
  /** Estimated tokens given to the model. */
  tokens: number;
  /** Present when the file was not read to its end. */
  leftOut?: LeftOut;
}

export interface LeftOut {
  /** The model's window was full, or the file is larger than is read at once. */
  reason: "window" | "size";
  /** At least so many characters, of the part of the file that was looked at. */
  characters?: number;
  /** Pages of which nothing was read. */
  pages?: number;
  /** Bytes of the file that were not looked at. */
  bytes?: number;
}
