-- What each API key used, day by day: written in the statement that settles turns, which holds the account's row already, so
-- that nobody waits for a row of these.
CREATE TABLE "usage_key_days" (
    "project_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "api_key_id" TEXT NOT NULL,
    "requests" BIGINT NOT NULL DEFAULT 0,
    "tokens_in" BIGINT NOT NULL DEFAULT 0,
    "tokens_out" BIGINT NOT NULL DEFAULT 0,
    "credits" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "usage_key_days_pkey" PRIMARY KEY ("project_id", "day", "api_key_id")
);

-- Of the past what turns still tell. What was deleted, or ends in a server of the version before, is in the sums of usage alone;
-- the panel shows that as a line of its own.
INSERT INTO "usage_key_days" ("project_id", "day", "api_key_id", "requests", "tokens_in", "tokens_out", "credits")
SELECT "project_id", ("ended_at" AT TIME ZONE 'UTC')::date, coalesce("api_key_id", ''), count(*), sum("tokens_in"),
       sum("tokens_out"), sum("credits_used")
FROM "turns" WHERE "ended_at" IS NOT NULL GROUP BY 1, 2, 3;
