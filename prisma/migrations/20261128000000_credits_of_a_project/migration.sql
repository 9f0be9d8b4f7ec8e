-- What a project may use in a calendar month (UTC); null: as much as the account has.
ALTER TABLE "projects" ADD COLUMN "credits_per_month" INTEGER;
