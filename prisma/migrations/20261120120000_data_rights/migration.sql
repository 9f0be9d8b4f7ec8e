-- Exporting and erasing what is kept of an end user, and how long things are kept.
CREATE TABLE "data_requests" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "project_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT,
    "subject_digest" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "requested_by_id" TEXT,
    "counts" JSONB NOT NULL DEFAULT '{}',
    "file_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "data_requests_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "data_requests_project_id_created_at_id_idx" ON "data_requests"("project_id", "created_at" DESC, "id" DESC);
CREATE INDEX "data_requests_project_id_subject_digest_idx" ON "data_requests"("project_id", "subject_digest");
CREATE INDEX "data_requests_account_id_idx" ON "data_requests"("account_id");

ALTER TABLE "projects" ADD COLUMN "file_retention_days" INTEGER;

-- Files that are kept for a time of their own, such as exports.
ALTER TABLE "stored_files" ADD COLUMN "expires_at" TIMESTAMPTZ(3);
CREATE INDEX "stored_files_expiry_idx" ON "stored_files"("expires_at") WHERE "expires_at" IS NOT NULL;

-- End users by when they were last seen, and by how their name begins whatever the database's collation is.
DROP INDEX "end_users_project_id_last_seen_at_idx";
CREATE INDEX "end_users_project_id_last_seen_at_end_user_id_idx" ON "end_users"("project_id", "last_seen_at" DESC, "end_user_id" DESC);
CREATE INDEX "end_users_project_id_end_user_id_idx" ON "end_users"("project_id", "end_user_id" text_pattern_ops);

-- Whatever belongs to one end user is found without reading what belongs to others.
CREATE INDEX "usage_days_project_id_end_user_id_day_idx" ON "usage_days"("project_id", "end_user_id", "day");
CREATE INDEX "ledger_entries_end_user_named_idx" ON "ledger_entries"("project_id", "end_user_id") WHERE "end_user_id" IS NOT NULL;
CREATE INDEX "webhook_deliveries_end_user_named_idx" ON "webhook_deliveries"("project_id", "end_user_id") WHERE "end_user_id" IS NOT NULL;
CREATE INDEX "call_logs_session_named_idx" ON "call_logs"("session_id") WHERE "session_id" IS NOT NULL;

-- For staff: all accounts, their calls and their deliveries, newest first.
CREATE INDEX "accounts_created_at_id_idx" ON "accounts"("created_at" DESC, "id" DESC);
CREATE INDEX "call_logs_created_at_id_idx" ON "call_logs"("created_at" DESC, "id" DESC);
CREATE INDEX "webhook_deliveries_created_at_id_idx" ON "webhook_deliveries"("created_at" DESC, "id" DESC);

-- The ledger stays append-only in all that counts. Who an amount was for is no part of the books: erasing an end user
-- changes that column alone.
DROP TRIGGER "ledger_entries_append_only" ON "ledger_entries";
CREATE TRIGGER "ledger_entries_append_only" BEFORE DELETE OR TRUNCATE
  OR UPDATE OF "id", "account_id", "project_id", "turn_id", "session_id", "kind", "amount", "balance_after", "reason",
    "endpoint", "tokens_in", "tokens_out", "created_by_id", "created_at"
  ON "ledger_entries" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();
