/** Where each thing of a project is shown: one home for the addresses that pages link to each other by. */
export const PANEL_ADDRESSES = {
  session: (id: string) => `/panel/sessions/${id}`,
  sessionFiles: (id: string) => `/panel/sessions/${id}?tab=files`,
  /** By the call's request id. */
  sessionsOfCall: (requestId: string) => `/panel/sessions?q=${encodeURIComponent(requestId)}`,
  callsOfSession: (id: string) => `/panel/api-b2b/logs?sessionId=${id}`,
  deliveriesOfSession: (id: string) => `/panel/api-b2b/webhooks?tab=deliveries&sessionId=${id}`,
  template: (id: string) => `/panel/templates/${id}`,
  knowledge: (id: string) => `/panel/knowledge/${id}`,
  endUser: (id: string) => `/panel/end-users/${encodeURIComponent(id)}`,
  sessionsOfEndUser: (id: string) => `/panel/sessions?endUserId=${encodeURIComponent(id)}`,
  /** By the client's own name for them. */
  sessionsOfReference: (reference: string) => `/panel/sessions?reference=${encodeURIComponent(reference)}`,
  callsOfEndUser: (id: string) => `/panel/api-b2b/logs?endUserId=${encodeURIComponent(id)}`,
  deliveriesOfEndUser: (id: string) => `/panel/api-b2b/webhooks?tab=deliveries&endUserId=${encodeURIComponent(id)}`,
  usageOfEndUser: (id: string) => `/panel/usage?endUserId=${encodeURIComponent(id)}`,
  /** By its receipt. */
  endUserExport: (id: string) => `/panel/end-users/exports/${id}`,
  webhook: (id: string) => `/panel/api-b2b/webhooks/${id}`,
  delivery: (id: string) => `/panel/api-b2b/webhooks/deliveries/${id}`,
  key: (id: string) => `/panel/api-b2b/api-keys?key=${id}`,
  /** In the days of a period (UTC). */
  callsOfKey: (id: string, { from, to }: { from: string; to: string }) =>
    `/panel/api-b2b/logs?keyId=${id}&from=${from}&to=${to}`,
  /** By its request id, over the list of calls. */
  call: (requestId: string) => `/panel/api-b2b/logs?call=${requestId}`,
  /** Of the project that is shown, and of its account. */
  project: () => "/panel/settings/project",
  account: () => "/panel/settings/company",
} satisfies Record<string, (id: string, period: { from: string; to: string }) => string>;
