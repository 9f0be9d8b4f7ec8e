-- What a project may use in a calendar month (UTC), and what each of its calls may cost; null: as much as the account has.
ALTER TABLE "projects" ADD COLUMN "credits_per_month" INTEGER;
ALTER TABLE "projects" ADD COLUMN "credits_per_call" INTEGER;
