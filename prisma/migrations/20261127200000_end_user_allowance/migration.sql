-- What each end user of the project may use in a calendar month (UTC); null: as much as the account has.
ALTER TABLE "projects" ADD COLUMN "end_user_credits_per_month" INTEGER;
