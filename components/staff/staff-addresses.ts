/** Where staff see each thing: one home for the addresses that their pages link to each other by. */
export const STAFF_ADDRESSES = {
  verification: (accountId: string) => `/staff/verifications/${accountId}`,
  account: (id: string) => `/staff/accounts/${id}`,
  callsOf: (accountId: string) => `/staff/logs?accountId=${accountId}`,
  session: (id: string) => `/staff/sessions/${id}`,
  callsOfSession: (sessionId: string) => `/staff/logs?sessionId=${sessionId}`,
  deliveriesOfSession: (sessionId: string) => `/staff/deliveries?sessionId=${sessionId}`,
  deliveriesOfWebhook: (webhookId: string) => `/staff/deliveries?webhookId=${webhookId}`,
  /** By its request id, over the list of calls. */
  call: (requestId: string) => `/staff/logs?requestId=${requestId}&call=${requestId}`,
  /** A line of the audit log. */
  auditLine: (id: string) => `/staff/audit-log?entry=${id}`,
  /** Accounts by a name, or an e-mail address. */
  accountsLike: (text: string) => `/staff/accounts?search=${encodeURIComponent(text)}`,
  delivery: (id: string) => `/staff/deliveries?id=${id}`,
  /** Open over the list. */
  openDelivery: (id: string) => `/staff/deliveries?id=${id}&delivery=${id}`,
  deliveriesOf: (accountId: string) => `/staff/deliveries?accountId=${accountId}`,
  auditOf: (accountId: string) => `/staff/audit-log?accountId=${accountId}`,
} satisfies Record<string, (id: string) => string>;
