/**
 * SQL: whole credits that an account was given since a moment, less what was taken back, as a number; what calls cost is not among them.
 * @param account SQL of the account's id
 * @param moment SQL of the moment
 */
export const givenSince = (account: string, moment: string): string =>
  `(SELECT coalesce(sum(l.amount), 0)::int FROM ledger_entries l
    WHERE l.account_id = ${account} AND l.kind <> 'charge' AND l.created_at >= ${moment})`;
