/** A call that carries an `Idempotency-Key`. */
export interface KeyedCall {
  key: string;
  /** SHA-256 over all that makes it this call and no other. */
  requestHash: Buffer;
  requestId: string;
  /** Whom the call names. */
  endUserId?: string | undefined;
  /** Which session it goes on with: that one's end user is the call's, too. */
  sessionId?: string | undefined;
  /** Of the answer when it is accepted. */
  status: number;
}

/** A key that this call holds until it keeps its response or gives the key back. */
export interface IdempotencyClaim extends KeyedCall {
  projectId: string;
  /** Whether the answer was written in the transaction of what the call started: a call that has ended well has it kept. */
  isKept?: boolean;
}
