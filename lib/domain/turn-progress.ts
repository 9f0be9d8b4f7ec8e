/** How far the work of a turn is, beside its text. */
export interface TurnProgress {
  /**
   * Of a long document: "planned" once, then one for each piece that was "read", and for each bringing together of their
   * results ("joined"). "heard": of a recording, at its beginning and after each piece of a long one. "making": what the model
   * ordered is being made. "limited": its provider limits requests, and is asked again later.
   */
  stage: "planned" | "read" | "joined" | "heard" | "making" | "limited";
  /** Of this stage: pieces; of a recording, seconds; of a limit, tries, 0 before the first. */
  done: number;
  total: number;
  /**
   * What this piece covers, as "pages 287-429 of 2,000"; of a recording, the name of its file; what is made, as "a picture"; of a
   * limit, nothing.
   */
  covers: string;
}
