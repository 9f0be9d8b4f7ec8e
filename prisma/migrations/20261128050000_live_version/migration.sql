-- The version of a template that calls use which name none; null: the newest.
ALTER TABLE "templates" ADD COLUMN "live_version" INTEGER;
