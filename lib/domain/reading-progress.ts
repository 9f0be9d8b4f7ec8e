/** How far the reading of a turn's files is. */
export interface ReadingProgress {
  /**
   * Of a long document: "planned" once, then one for each piece that was read, and for each bringing together of their
   * results. "heard": of a recording, at its beginning and after each piece of a long one.
   */
  stage: "planned" | "read" | "joined" | "heard";
  /** Of this stage: pieces; of a recording, seconds. */
  done: number;
  total: number;
  /** What this piece covers, as "pages 287-429 of 2,000"; of a recording, the name of its file. */
  covers: string;
}
