-- The client's own name for its work.
ALTER TABLE "sessions" ADD COLUMN "reference" TEXT;
ALTER TABLE "turns" ADD COLUMN "reference" TEXT;

-- Partial, so that those who send none pay nothing for it.
CREATE INDEX "sessions_reference_idx" ON "sessions"("project_id", "reference", "created_at" DESC, "id" DESC) WHERE "reference" IS NOT NULL;
