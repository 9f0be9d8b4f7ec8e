/**
 * How every connection is kept: one whose other side went without a word (a failover, a router that forgot it) is found dead within
 * half a minute, where the system by itself would ask after two hours. What listens has nothing to send and would never notice.
 */
export const KEPT_CONNECTION = {
  connectionTimeoutMillis: 3_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;
