import { type Env, parseEnv } from "@/lib/env";

const LOOPBACK_HOSTS = ["127.0.0.1", "localhost", "::1"];

/**
 * The settings for `npm run dev`: receivers on this machine are let through (`npm run webhooks:listen`), unless other
 * machines reach the service or the reader named hosts. `npm start` lets nothing through by itself.
 */
export function developmentSettings(settings: Env): Env {
  const isOwn = LOOPBACK_HOSTS.includes(settings.HOST);
  if (!isOwn || settings.OUTBOUND_ALLOWED_HOSTS.length > 0) return settings;
  process.env.OUTBOUND_ALLOWED_HOSTS = "localhost";
  return parseEnv(process.env);
}
