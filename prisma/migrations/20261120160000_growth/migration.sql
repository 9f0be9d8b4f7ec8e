-- What is read of a long past without adding it up again: usage of a project's day and endpoint over all end users, and how
-- many sessions a project has.
CREATE TABLE "usage_totals" (
    "project_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "endpoint" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "requests" BIGINT NOT NULL DEFAULT 0,
    "tokens_in" BIGINT NOT NULL DEFAULT 0,
    "tokens_out" BIGINT NOT NULL DEFAULT 0,
    "credits" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "usage_totals_pkey" PRIMARY KEY ("project_id", "day", "endpoint")
);

CREATE INDEX "usage_totals_account_id_day_idx" ON "usage_totals"("account_id", "day");

-- Follows usage_days whoever writes it, also processes of the version before. A settled turn holds its account's row
-- already, so that nobody waits for this one. The body writes its semicolons as \x3b: the engine cuts scripts at them.
CREATE FUNCTION "add_usage_total"() RETURNS trigger LANGUAGE plpgsql AS E'
BEGIN
  IF TG_OP = ''DELETE'' THEN
    UPDATE usage_totals SET requests = requests - OLD.requests, tokens_in = tokens_in - OLD.tokens_in,
      tokens_out = tokens_out - OLD.tokens_out, credits = credits - OLD.credits
    WHERE project_id = OLD.project_id AND day = OLD.day AND endpoint = OLD.endpoint\x3b
    RETURN NULL\x3b
  END IF\x3b
  INSERT INTO usage_totals AS t (project_id, day, endpoint, account_id, requests, tokens_in, tokens_out, credits)
  VALUES (NEW.project_id, NEW.day, NEW.endpoint, NEW.account_id, NEW.requests - coalesce(OLD.requests, 0),
          NEW.tokens_in - coalesce(OLD.tokens_in, 0), NEW.tokens_out - coalesce(OLD.tokens_out, 0),
          NEW.credits - coalesce(OLD.credits, 0))
  ON CONFLICT (project_id, day, endpoint) DO UPDATE SET requests = t.requests + excluded.requests,
    tokens_in = t.tokens_in + excluded.tokens_in, tokens_out = t.tokens_out + excluded.tokens_out,
    credits = t.credits + excluded.credits\x3b
  RETURN NULL\x3b
END';

CREATE TRIGGER "usage_days_totals" AFTER INSERT OR UPDATE OR DELETE ON "usage_days"
  FOR EACH ROW EXECUTE FUNCTION "add_usage_total"();

-- Nothing is counted while the past is added up.
DO E'
BEGIN
  LOCK TABLE usage_days IN SHARE ROW EXCLUSIVE MODE\x3b
  INSERT INTO usage_totals (project_id, day, endpoint, account_id, requests, tokens_in, tokens_out, credits)
  SELECT project_id, day, endpoint, min(account_id), sum(requests), sum(tokens_in), sum(tokens_out), sum(credits)
  FROM usage_days GROUP BY 1, 2, 3
  ON CONFLICT (project_id, day, endpoint) DO UPDATE SET requests = excluded.requests, tokens_in = excluded.tokens_in,
    tokens_out = excluded.tokens_out, credits = excluded.credits\x3b
END';

-- Sessions that began before a moment, by kind. The younger ones are counted when somebody asks.
CREATE TABLE "session_counts" (
    "project_id" TEXT NOT NULL,
    "counted_until" TIMESTAMPTZ(3) NOT NULL,
    "chats" INTEGER NOT NULL DEFAULT 0,
    "processes" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "session_counts_pkey" PRIMARY KEY ("project_id")
);

ALTER TABLE "session_counts" ADD CONSTRAINT "session_counts_project_id_fkey"
  FOREIGN KEY ("project_id") REFERENCES "projects"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The rows are there and locked before they are read: whoever counts at this moment has seen the sessions go, or waits.
CREATE FUNCTION "subtract_counted_sessions"() RETURNS trigger LANGUAGE plpgsql AS E'
BEGIN
  INSERT INTO session_counts (project_id, counted_until)
  SELECT id, ''-infinity'' FROM projects WHERE id IN (SELECT project_id FROM gone) ORDER BY id ON CONFLICT DO NOTHING\x3b
  PERFORM 1 FROM session_counts WHERE project_id IN (SELECT project_id FROM gone) ORDER BY project_id FOR UPDATE\x3b
  UPDATE session_counts c SET chats = c.chats - g.chats, processes = c.processes - g.processes
  FROM (SELECT s.project_id, count(*) FILTER (WHERE s.kind = ''chat'') AS chats,
               count(*) FILTER (WHERE s.kind = ''process'') AS processes
        FROM gone s JOIN session_counts k ON k.project_id = s.project_id WHERE s.created_at < k.counted_until GROUP BY 1) g
  WHERE c.project_id = g.project_id\x3b
  RETURN NULL\x3b
END';

CREATE TRIGGER "sessions_counted" AFTER DELETE ON "sessions" REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION "subtract_counted_sessions"();

-- Calls that failed are few among those that were refused.
CREATE INDEX "call_logs_failed_idx" ON "call_logs"("project_id", "created_at" DESC, "id" DESC) WHERE "status" >= 500;
