-- Owners who asked for an account's export while it was being made: they are told of its end as who asked first.
ALTER TABLE "account_exports" ADD COLUMN "also_asked_by_ids" TEXT[] DEFAULT ARRAY[]::TEXT[];
-- When a mail was last handed to the queue again: those that fail let others go first.
ALTER TABLE "mails" ADD COLUMN "redispatched_at" TIMESTAMPTZ(3);
