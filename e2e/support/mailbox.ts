import { afterAll, beforeAll, beforeEach } from "vitest";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { type SmtpServer, startSmtpServer } from "@/e2e/support/smtp-server";
import { db } from "@/lib/db/pool";

/**
 * A mail server for a file's tests, with a service's database and the settings that lead to both. Before each test nothing waits
 * to be sent, nothing has arrived, and nobody has tried to sign in.
 * @param settings beside those
 */
export function useMailbox(settings: Record<string, string> = {}): SmtpServer {
  const smtp = {} as SmtpServer;
  beforeAll(async () => {
    Object.assign(smtp, await startSmtpServer());
  });
  useServiceDatabase(() => ({ SMTP_URL: smtp.url, APP_URL: "https://service.example", ...settings }));
  afterAll(() => smtp.stop());
  beforeEach(async () => {
    await db().query("TRUNCATE mails, outbox_events, sign_in_attempts");
    smtp.mails.length = 0;
  });
  return smtp;
}
