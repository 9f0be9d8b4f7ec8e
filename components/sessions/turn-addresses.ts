/** Where what a turn names is shown. */
export interface TurnAddresses {
  call: (requestId: string) => string;
  template: (id: string) => string;
  /** A file of this session, by its id. */
  file: (fileId: string) => string;
  /** What is remembered of the session's end user; null when it has none. */
  memory: string | null;
  stream: string;
}
