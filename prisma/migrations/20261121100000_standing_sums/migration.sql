-- More of what is read of a long past without adding it up again: what each end user used in a month, how the work of
-- expired sessions had ended, and how many end users there are.
CREATE TABLE "usage_months" (
    "project_id" TEXT NOT NULL,
    "month" DATE NOT NULL,
    "end_user_id" TEXT NOT NULL,
    "requests" BIGINT NOT NULL DEFAULT 0,
    "tokens_in" BIGINT NOT NULL DEFAULT 0,
    "tokens_out" BIGINT NOT NULL DEFAULT 0,
    "credits" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "usage_months_pkey" PRIMARY KEY ("project_id", "month", "end_user_id")
);

CREATE INDEX "usage_months_project_id_month_credits_end_user_id_idx" ON "usage_months"("project_id", "month", "credits", "end_user_id");

-- As before, and the month of the end user with it: there as long as there is any use in it.
CREATE OR REPLACE FUNCTION "add_usage_total"() RETURNS trigger LANGUAGE plpgsql AS E'
BEGIN
  IF TG_OP = ''DELETE'' THEN
    UPDATE usage_totals SET requests = requests - OLD.requests, tokens_in = tokens_in - OLD.tokens_in,
      tokens_out = tokens_out - OLD.tokens_out, credits = credits - OLD.credits
    WHERE project_id = OLD.project_id AND day = OLD.day AND endpoint = OLD.endpoint\x3b
    DELETE FROM usage_months WHERE project_id = OLD.project_id AND month = date_trunc(''month'', OLD.day::timestamp)::date
      AND end_user_id = OLD.end_user_id AND requests <= OLD.requests\x3b
    IF NOT FOUND THEN
      UPDATE usage_months SET requests = requests - OLD.requests, tokens_in = tokens_in - OLD.tokens_in,
        tokens_out = tokens_out - OLD.tokens_out, credits = credits - OLD.credits
      WHERE project_id = OLD.project_id AND month = date_trunc(''month'', OLD.day::timestamp)::date
        AND end_user_id = OLD.end_user_id\x3b
    END IF\x3b
    RETURN NULL\x3b
  END IF\x3b
  INSERT INTO usage_totals AS t (project_id, day, endpoint, account_id, requests, tokens_in, tokens_out, credits)
  VALUES (NEW.project_id, NEW.day, NEW.endpoint, NEW.account_id, NEW.requests - coalesce(OLD.requests, 0),
          NEW.tokens_in - coalesce(OLD.tokens_in, 0), NEW.tokens_out - coalesce(OLD.tokens_out, 0),
          NEW.credits - coalesce(OLD.credits, 0))
  ON CONFLICT (project_id, day, endpoint) DO UPDATE SET requests = t.requests + excluded.requests,
    tokens_in = t.tokens_in + excluded.tokens_in, tokens_out = t.tokens_out + excluded.tokens_out,
    credits = t.credits + excluded.credits\x3b
  INSERT INTO usage_months AS m (project_id, month, end_user_id, requests, tokens_in, tokens_out, credits)
  VALUES (NEW.project_id, date_trunc(''month'', NEW.day::timestamp)::date, NEW.end_user_id,
          NEW.requests - coalesce(OLD.requests, 0), NEW.tokens_in - coalesce(OLD.tokens_in, 0),
          NEW.tokens_out - coalesce(OLD.tokens_out, 0), NEW.credits - coalesce(OLD.credits, 0))
  ON CONFLICT (project_id, month, end_user_id) DO UPDATE SET requests = m.requests + excluded.requests,
    tokens_in = m.tokens_in + excluded.tokens_in, tokens_out = m.tokens_out + excluded.tokens_out,
    credits = m.credits + excluded.credits\x3b
  RETURN NULL\x3b
END';

-- Nothing is counted while the past is added up.
DO E'
BEGIN
  LOCK TABLE usage_days IN SHARE ROW EXCLUSIVE MODE\x3b
  INSERT INTO usage_months (project_id, month, end_user_id, requests, tokens_in, tokens_out, credits)
  SELECT project_id, date_trunc(''month'', day::timestamp)::date, end_user_id, sum(requests), sum(tokens_in), sum(tokens_out),
         sum(credits)
  FROM usage_days GROUP BY 1, 2, 3
  ON CONFLICT (project_id, month, end_user_id) DO UPDATE SET requests = excluded.requests, tokens_in = excluded.tokens_in,
    tokens_out = excluded.tokens_out, credits = excluded.credits\x3b
END';

-- Old sessions have expired. How many there are is known without counting them: those of a project less the few that have
-- not. How the work of those that failed or were canceled had ended is kept as changes, which nobody waits for, and added
-- up now and then.
ALTER TABLE "session_counts" ADD COLUMN "expired_failed" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "expired_canceled" INTEGER NOT NULL DEFAULT 0;

CREATE TABLE "session_count_changes" (
    "project_id" TEXT NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "expired_failed" INTEGER NOT NULL,
    "expired_canceled" INTEGER NOT NULL,

    CONSTRAINT "session_count_changes_pkey" PRIMARY KEY ("project_id", "id")
);

ALTER TABLE "session_count_changes" ADD CONSTRAINT "session_count_changes_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE FUNCTION "note_expired_end"() RETURNS trigger LANGUAGE plpgsql AS E'
BEGIN
  IF TG_OP <> ''INSERT'' AND OLD.status = ''expired'' AND OLD.error_code IS NOT NULL THEN
    INSERT INTO session_count_changes (project_id, expired_failed, expired_canceled)
    SELECT id, -(OLD.error_code <> ''CANCELED'')::int, -(OLD.error_code = ''CANCELED'')::int
    FROM projects WHERE id = OLD.project_id\x3b
  END IF\x3b
  IF TG_OP <> ''DELETE'' AND NEW.status = ''expired'' AND NEW.error_code IS NOT NULL THEN
    INSERT INTO session_count_changes (project_id, expired_failed, expired_canceled)
    VALUES (NEW.project_id, (NEW.error_code <> ''CANCELED'')::int, (NEW.error_code = ''CANCELED'')::int)\x3b
  END IF\x3b
  RETURN NULL\x3b
END';

-- The conditions keep turns that are accepted or end from calling it.
CREATE TRIGGER "sessions_expired_inserted" AFTER INSERT ON "sessions" FOR EACH ROW
  WHEN (NEW.status = 'expired' AND NEW.error_code IS NOT NULL) EXECUTE FUNCTION "note_expired_end"();
CREATE TRIGGER "sessions_expired_updated" AFTER UPDATE ON "sessions" FOR EACH ROW
  WHEN ((OLD.status = 'expired' AND OLD.error_code IS NOT NULL OR NEW.status = 'expired' AND NEW.error_code IS NOT NULL)
        AND (OLD.status, OLD.error_code) IS DISTINCT FROM (NEW.status, NEW.error_code))
  EXECUTE FUNCTION "note_expired_end"();
CREATE TRIGGER "sessions_expired_deleted" AFTER DELETE ON "sessions" FOR EACH ROW
  WHEN (OLD.status = 'expired' AND OLD.error_code IS NOT NULL) EXECUTE FUNCTION "note_expired_end"();

DO E'
BEGIN
  LOCK TABLE sessions IN SHARE ROW EXCLUSIVE MODE\x3b
  INSERT INTO session_count_changes (project_id, expired_failed, expired_canceled)
  SELECT project_id, count(*) FILTER (WHERE error_code <> ''CANCELED''), count(*) FILTER (WHERE error_code = ''CANCELED'')
  FROM sessions WHERE status = ''expired'' AND error_code IS NOT NULL GROUP BY 1\x3b
END';

-- It was for counting an account's sessions by how they ended, and every change of a status wrote it.
DROP INDEX IF EXISTS "sessions_account_id_status_error_code_idx";

-- Sessions that use no template need no place among those that do. With kind and state, counting a template's sessions by
-- them reads the index alone. A change of the state writes every index of a session anyway.
CREATE INDEX "sessions_template_named_idx" ON "sessions"("project_id", "template_id", "created_at" DESC, "id" DESC)
  INCLUDE ("kind", "status", "error_code") WHERE "template_id" IS NOT NULL;
DROP INDEX "sessions_project_id_template_id_created_at_idx";

-- End users that came before a moment. Whoever came later was also seen later, and is counted when somebody asks.
CREATE TABLE "end_user_counts" (
    "project_id" TEXT NOT NULL,
    "counted_until" TIMESTAMPTZ(3) NOT NULL,
    "end_users" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "end_user_counts_pkey" PRIMARY KEY ("project_id")
);

ALTER TABLE "end_user_counts" ADD CONSTRAINT "end_user_counts_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE FUNCTION "subtract_counted_end_users"() RETURNS trigger LANGUAGE plpgsql AS E'
BEGIN
  INSERT INTO end_user_counts (project_id, counted_until)
  SELECT id, ''-infinity'' FROM projects WHERE id IN (SELECT project_id FROM gone) ORDER BY id ON CONFLICT DO NOTHING\x3b
  PERFORM 1 FROM end_user_counts WHERE project_id IN (SELECT project_id FROM gone) ORDER BY project_id FOR UPDATE\x3b
  UPDATE end_user_counts c SET end_users = c.end_users - g.end_users
  FROM (SELECT e.project_id, count(*) AS end_users
        FROM gone e JOIN end_user_counts k ON k.project_id = e.project_id WHERE e.created_at < k.counted_until GROUP BY 1) g
  WHERE c.project_id = g.project_id\x3b
  RETURN NULL\x3b
END';

CREATE TRIGGER "end_users_counted" AFTER DELETE ON "end_users" REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION "subtract_counted_end_users"();
