-- What an account asks those who run the service for: credits, or another plan.
CREATE TABLE "account_requests" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "credits" INTEGER,
    "plan_id" TEXT,
    "note" TEXT,
    "state" TEXT NOT NULL DEFAULT 'open',
    "asked_by_id" TEXT,
    "answered_by_id" TEXT,
    "answer" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "answered_at" TIMESTAMPTZ(3),

    CONSTRAINT "account_requests_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "account_requests_account_id_created_at_idx" ON "account_requests"("account_id", "created_at");

-- One of a kind at a time; and what waits, of all accounts.
CREATE UNIQUE INDEX "account_requests_open_idx" ON "account_requests"("account_id", "kind") WHERE "state" = 'open';

ALTER TABLE "account_requests" ADD CONSTRAINT "account_requests_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "accounts"("id") ON DELETE CASCADE ON UPDATE CASCADE;
