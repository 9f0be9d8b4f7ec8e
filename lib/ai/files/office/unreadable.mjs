/** Why a document cannot be read; `failure` is what read-office.ts has words for. */
export class Unreadable extends Error {
  /**
   * @param {"encrypted" | "broken" | "hostile" | "unsupported"} failure
   * @param {string} detail for the logs; what the file is and what to do, where it is unsupported
   */
  constructor(failure, detail) {
    super(detail);
    this.failure = failure;
  }
}
