-- The call that holds a running key: one whose lease ran out can no longer keep a response.
ALTER TABLE "idempotency_keys" ADD COLUMN "owner" TEXT NOT NULL DEFAULT '';
ALTER TABLE "idempotency_keys" ALTER COLUMN "owner" DROP DEFAULT;
