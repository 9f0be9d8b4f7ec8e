-- Whom the call of a key named: the key is theirs also when its session was deleted and its line of the log never written.
ALTER TABLE "idempotency_keys" ADD COLUMN "end_user_id" TEXT;

CREATE INDEX "idempotency_keys_named_idx" ON "idempotency_keys"("project_id", "end_user_id") WHERE "end_user_id" IS NOT NULL;
