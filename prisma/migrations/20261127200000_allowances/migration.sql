-- What each end user of a project, and what a key, may use in a calendar month (UTC); null: as much as the account has.
ALTER TABLE "projects" ADD COLUMN "end_user_credits_per_month" INTEGER;
ALTER TABLE "api_keys" ADD COLUMN "credits_per_month" INTEGER;
