-- Which calls of a project were refused for one reason: of a rare one a list looked through all that were refused. Partial,
-- so that calls that go well write nothing of it.
CREATE INDEX "call_logs_code_refused_idx" ON "call_logs"("project_id", "error_code", "created_at" DESC, "id" DESC)
  WHERE "status" >= 400;
