-- An open alert is told of by mail, once. Those that stand already are looked at in the panel.
ALTER TABLE "alerts" ADD COLUMN "mailed_at" TIMESTAMPTZ(3);
UPDATE "alerts" SET "mailed_at" = now();

-- What is open, of all accounts: few rows of many.
CREATE INDEX "alerts_open_idx" ON "alerts"("kind", "account_id") WHERE "resolved_at" IS NULL AND "dismissed_at" IS NULL;

-- Calls that were refused for want of credits, of all accounts: rare, and looked for every few minutes.
CREATE INDEX "call_logs_unpaid_idx" ON "call_logs"("created_at" DESC, "account_id") WHERE "error_code" = 'INSUFFICIENT_CREDITS';
