/**
 * Somebody outside of the service, such as a mail server, cannot be reached or put a try off: a later one may go through. Whoever
 * throws it has a line of the log tell of it.
 */
export class PutOffError extends Error {
  override readonly name = "PutOffError";
}
