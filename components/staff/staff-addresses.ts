/** Where staff see each thing: one home for the addresses that their pages link to each other by. */
export const STAFF_ADDRESSES = {
  verification: (accountId: string) => `/staff/verifications/${accountId}`,
  account: (id: string) => `/staff/accounts/${id}`,
  callsOf: (accountId: string) => `/staff/logs?accountId=${accountId}`,
  delivery: (id: string) => `/staff/deliveries?id=${id}`,
  deliveriesOf: (accountId: string) => `/staff/deliveries?accountId=${accountId}`,
  auditOf: (accountId: string) => `/staff/audit-log?accountId=${accountId}`,
} satisfies Record<string, (id: string) => string>;
