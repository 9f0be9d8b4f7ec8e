-- Lists by what is rare: without these a list looks through a whole past for the few that its filter lets through. All are
-- partial, so that work that goes well writes none of them.

-- Deliveries that were given up or held back, of a project, of a receiver, and of all for staff.
CREATE INDEX "webhook_deliveries_project_failed_idx" ON "webhook_deliveries"("project_id", "status", "created_at" DESC, "id" DESC)
  WHERE "status" IN ('failed', 'held');
CREATE INDEX "webhook_deliveries_registration_failed_idx" ON "webhook_deliveries"("registration_id", "status", "created_at" DESC, "id" DESC)
  WHERE "status" IN ('failed', 'held');
CREATE INDEX "webhook_deliveries_all_failed_idx" ON "webhook_deliveries"("status", "created_at" DESC, "id" DESC)
  WHERE "status" IN ('failed', 'held');

-- Nearly all deliveries tell of completions.
CREATE INDEX "webhook_deliveries_event_named_idx" ON "webhook_deliveries"("project_id", "event", "created_at" DESC, "id" DESC)
  WHERE "event" <> 'completion';

-- Which calls of an endpoint were refused. Hardly any call is redirected.
CREATE INDEX "call_logs_endpoint_refused_idx" ON "call_logs"("project_id", "endpoint", "created_at" DESC, "id" DESC)
  WHERE "status" >= 400;
CREATE INDEX "call_logs_redirected_idx" ON "call_logs"("project_id", "created_at" DESC, "id" DESC)
  WHERE "status" >= 300 AND "status" <= 399;

-- Calls of all accounts that failed, for staff.
CREATE INDEX "call_logs_all_failed_idx" ON "call_logs"("created_at" DESC, "id" DESC) WHERE "status" >= 500;

-- What an account was given, among all that it was charged.
CREATE INDEX "ledger_entries_granted_idx" ON "ledger_entries"("account_id", "created_at" DESC, "id" DESC)
  WHERE "kind" <> 'charge';

-- The audit log by who, what and of what. It is written when people change something, not by calls.
CREATE INDEX "audit_log_actor_id_created_at_id_idx" ON "audit_log"("actor_id", "created_at" DESC, "id" DESC);
CREATE INDEX "audit_log_subject_created_at_id_idx" ON "audit_log"("subject", "created_at" DESC, "id" DESC);
CREATE INDEX "audit_log_action_account_id_idx" ON "audit_log"("action" text_pattern_ops, "account_id");

-- What a project used in an hour, as the ledger says: added up when somebody looks, once the hour is over.
CREATE TABLE "usage_hours" (
    "project_id" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "tokens_in" BIGINT NOT NULL,
    "tokens_out" BIGINT NOT NULL,
    "credits" BIGINT NOT NULL,

    CONSTRAINT "usage_hours_pkey" PRIMARY KEY ("project_id", "hour")
);

ALTER TABLE "usage_hours" ADD CONSTRAINT "usage_hours_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;
