/** Consumption in more detail than the API's report, for the panel (§2.6). */

export interface UsageFigures {
  /** Accepted inputs whose work has ended. */
  requests: number;
  tokensIn: number;
  tokensOut: number;
  creditsUsed: number;
}

/** What was used of one endpoint on one day (UTC). */
export interface EndpointUsageDay extends UsageFigures {
  date: string;
  /** "POST /chat" */
  endpoint: string;
}

export interface EndUserUsageShare extends UsageFigures {
  /** Null: the client's own calls, for no end user. */
  endUserId: string | null;
}
