-- What the account asked for, of a large grant that waits: answered otherwise meanwhile, it is not given once more.
ALTER TABLE "credit_requests" ADD COLUMN "account_request_id" TEXT;
