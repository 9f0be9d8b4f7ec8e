/** A file that came along with a mail, or in a PDF. */
export interface AttachedFile {
  name: string;
  /** As the sender stated it; "" where they did not. */
  contentType: string;
  /** Absent where only its name is there. */
  bytes?: Uint8Array;
}

/** What was read of it: its text, or why there is none, in words for the model. */
export interface AttachedText {
  name: string;
  text?: string;
  /** It follows as a document of its own. */
  isBelow?: boolean;
  reason?: string;
}

/** Reads the files that came along, and gives each in its place. */
export type ReadAttached = (files: AttachedFile[]) => Promise<AttachedText[]>;
