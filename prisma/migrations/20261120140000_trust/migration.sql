-- Exports of whole accounts, grants of credits that wait for a second member of staff, and the address that a one-time
-- link is to make a person's own.
CREATE TABLE "account_exports" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "requested_by_id" TEXT,
    "counts" JSONB NOT NULL DEFAULT '{}',
    "file_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),

    CONSTRAINT "account_exports_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "account_exports_account_id_created_at_idx" ON "account_exports"("account_id", "created_at");
ALTER TABLE "account_exports" ADD CONSTRAINT "account_exports_account_id_fkey"
  FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "credit_requests" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "amount" INTEGER NOT NULL,
    "reason" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "requested_by_id" TEXT NOT NULL,
    "decided_by_id" TEXT,
    "decision_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "credit_requests_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "credit_requests_state_expires_at_idx" ON "credit_requests"("state", "expires_at");
CREATE INDEX "credit_requests_account_id_created_at_idx" ON "credit_requests"("account_id", "created_at");
ALTER TABLE "credit_requests" ADD CONSTRAINT "credit_requests_account_id_fkey"
  FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "user_tokens" ADD COLUMN "email" TEXT;
