-- An upload whose process died is known by the lease that nobody renews: with the age of its row alone it had to stay as long
-- as the slowest upload may take. Null: no process holds it.
ALTER TABLE "pending_uploads" ADD COLUMN "leased_until" TIMESTAMPTZ(3);
