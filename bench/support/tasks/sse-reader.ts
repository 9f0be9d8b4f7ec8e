import { stampMs } from "@/bench/support/clock";

/** Takes in a session's stream and keeps what benchmarks ask about. */
export class SseReader {
  /** As of `stampMs`; NaN before. */
  firstChunkAt = Number.NaN;
  endedAt = Number.NaN;
  hasBegun = false;
  text = "";
  /** Of the `completed` event. */
  output: string | null = null;
  #rest = "";

  feed(bytes: Buffer): void {
    const at = stampMs();
    this.#rest += bytes.toString("utf8");
    for (let end = this.#rest.indexOf("\n\n"); end !== -1; end = this.#rest.indexOf("\n\n")) {
      this.#take(this.#rest.slice(0, end), at);
      this.#rest = this.#rest.slice(end + 2);
    }
  }

  #take(block: string, at: number): void {
    const event = /^event: (.*)$/m.exec(block)?.[1];
    const data = /^data: (.*)$/m.exec(block)?.[1];
    if (event === undefined || data === undefined) return;
    this.hasBegun = true;
    if (event === "reset") this.text = "";
    if (event === "chunk") {
      if (Number.isNaN(this.firstChunkAt)) this.firstChunkAt = at;
      this.text += (JSON.parse(data) as { delta: string }).delta;
    }
    if (event === "completed" || event === "error") this.endedAt = at;
    if (event === "completed") this.output = (JSON.parse(data) as { output: string }).output;
  }
}
