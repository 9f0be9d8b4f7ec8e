-- Sessions whose last work got no answer, whatever became of their status since: for them a list looked through all that had
-- expired. Partial, so that sessions that go well write nothing of it.
CREATE INDEX "sessions_failed_idx" ON "sessions"("project_id", "created_at" DESC, "id" DESC) WHERE "error_code" IS NOT NULL;
