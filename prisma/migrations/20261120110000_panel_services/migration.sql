-- Calls per hour, counted as they are logged: charts over months read some thousand rows, not millions.
CREATE TABLE "call_hours" (
    "project_id" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "account_id" TEXT NOT NULL,
    "requests" INTEGER NOT NULL DEFAULT 0,
    "client_errors" INTEGER NOT NULL DEFAULT 0,
    "server_errors" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "call_hours_pkey" PRIMARY KEY ("project_id","hour")
);

INSERT INTO "call_hours" ("project_id", "hour", "account_id", "requests", "client_errors", "server_errors")
SELECT "project_id", date_trunc('hour', "created_at", 'UTC'), min("account_id"), count(*),
       count(*) FILTER (WHERE "status" BETWEEN 400 AND 499), count(*) FILTER (WHERE "status" >= 500)
FROM "call_logs" GROUP BY 1, 2;

-- Rows come late and in batches, so their own times say nothing of what is new.
ALTER TABLE "call_logs" ADD COLUMN "logged_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;
CREATE INDEX "call_logs_project_id_logged_at_id_idx" ON "call_logs"("project_id", "logged_at", "id");

-- One per filter of the panel's Logs that would have to look at many rows for few.
CREATE INDEX "call_logs_project_id_endpoint_created_at_id_idx" ON "call_logs"("project_id", "endpoint", "created_at" DESC, "id" DESC);
CREATE INDEX "call_logs_project_id_api_key_id_created_at_id_idx" ON "call_logs"("project_id", "api_key_id", "created_at" DESC, "id" DESC);
CREATE INDEX "call_logs_project_id_ip_created_at_id_idx" ON "call_logs"("project_id", "ip", "created_at" DESC, "id" DESC);
CREATE INDEX "call_logs_end_user_named_idx" ON "call_logs"("project_id", "end_user_id", "created_at" DESC, "id" DESC) WHERE "end_user_id" IS NOT NULL;
CREATE INDEX "call_logs_refused_idx" ON "call_logs"("project_id", "created_at" DESC, "id" DESC) WHERE "status" >= 400;

ALTER TABLE "templates" ADD COLUMN "last_used_at" TIMESTAMPTZ(3);

-- During a rotation the secret before signs callbacks beside the new one.
ALTER TABLE "projects" ADD COLUMN "previous_callback_secret_encrypted" TEXT, ADD COLUMN "previous_callback_secret_until" TIMESTAMPTZ(3);
