-- A service that a person took off their sign-in stays off: without a row to know it by it came back at its next sign-in.
ALTER TABLE "user_identities" ADD COLUMN "removed_at" TIMESTAMPTZ(3);
