/** A line of an account's ledger that is no charge: credits that were given or taken. */
export interface GrantRecord {
  id: string;
  kind: string;
  /** Whole credits; below 0: taken. */
  amount: number;
  balanceAfter: number;
  reason: string | null;
  createdAt: string;
}
