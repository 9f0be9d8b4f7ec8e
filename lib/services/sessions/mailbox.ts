import type { AnnouncedEvent } from "@/lib/services/sessions/session-hub";

/** Announcements wait here until the stream takes them. A reader too slow for them is told to look at the table. */
export class Mailbox {
  static readonly #MAX_WAITING = 200;
  #waiting: (AnnouncedEvent | null)[] = [];
  #deliver: ((event: AnnouncedEvent | null) => void) | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** Hands an announcement to who waits for it, or keeps it; null says that it is time to look at the table. */
  put(event: AnnouncedEvent | null): void {
    const deliver = this.#deliver;
    if (deliver) {
      this.#deliver = null;
      clearTimeout(this.#timer);
      deliver(event);
    } else if (this.#waiting.length >= Mailbox.#MAX_WAITING) this.#waiting = [null];
    else this.#waiting.push(event);
  }

  /** The next announcement; null when it is time to look at the table. */
  take(timeoutMs: number): Promise<AnnouncedEvent | null> {
    const event = this.#waiting.shift();
    if (event !== undefined) return Promise.resolve(event);
    return new Promise((resolve) => {
      this.#deliver = resolve;
      this.#timer = setTimeout(() => this.put(null), timeoutMs);
    });
  }
}
