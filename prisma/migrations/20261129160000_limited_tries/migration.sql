-- Tries that a provider's limit refused are no tries of what else may fail: a turn that had waited for a limit failed at the first
-- hiccup behind it.
ALTER TABLE "turns" ADD COLUMN "limited_tries" INTEGER NOT NULL DEFAULT 0;
