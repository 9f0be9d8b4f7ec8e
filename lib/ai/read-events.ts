/** One event of a stream of server-sent events. */
export interface ServerSentEvent {
  /** Its name; "" where it has none. */
  event: string;
  /** Lines of its data, joined. */
  data: string;
}

/**
 * Takes server-sent events out of bytes as they come (the WHATWG format: lines end in LF, CRLF or CR; comments, ids and
 * retries are left out).
 */
export class EventReader {
  readonly #decoder = new TextDecoder();
  /** The beginning of a line whose end has not come yet. */
  #rest = "";
  #event = "";
  #data: string[] = [];
  #dataCharacters = 0;

  /** Of an event that is not complete yet. */
  get heldCharacters(): number {
    return this.#rest.length + this.#dataCharacters;
  }

  /** The events that are complete with these bytes. */
  take(bytes: Uint8Array): ServerSentEvent[] {
    let text = this.#rest + this.#decoder.decode(bytes, { stream: true });
    // The LF of a CRLF may be on its way.
    const isCut = text.endsWith("\r");
    if (isCut) text = text.slice(0, -1);
    if (text.includes("\r")) text = text.replace(/\r\n?/g, "\n");
    const events: ServerSentEvent[] = [];
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      this.#takeLine(text.slice(start, end), events);
      start = end + 1;
    }
    this.#rest = text.slice(start) + (isCut ? "\r" : "");
    return events;
  }

  #takeLine(line: string, events: ServerSentEvent[]): void {
    if (line === "") {
      if (this.#data.length > 0) events.push({ event: this.#event, data: this.#data.join("\n") });
      this.#event = "";
      this.#data = [];
      this.#dataCharacters = 0;
      return;
    }
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    if (field !== "data" && field !== "event") return;
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (field === "event") {
      this.#event = value;
      return;
    }
    this.#data.push(value);
    this.#dataCharacters += value.length;
  }
}
