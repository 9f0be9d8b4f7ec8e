-- A document that is longer than the model's window is read in parts. Rows live from the plan to the end of their turn.
CREATE TABLE "turn_parts" (
    "turn_id" TEXT NOT NULL,
    "level" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "model" TEXT NOT NULL,
    "covers" JSONB NOT NULL,
    "content" TEXT,
    "first_source" INTEGER,
    "last_source" INTEGER,
    "tokens_in_estimate" INTEGER NOT NULL,
    "asked" INTEGER NOT NULL DEFAULT 0,
    "asked_generation" INTEGER,
    "output" TEXT,
    "output_tokens" INTEGER,
    "tokens_in" INTEGER NOT NULL DEFAULT 0,
    "tokens_out" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "done_at" TIMESTAMPTZ(3),

    CONSTRAINT "turn_parts_pkey" PRIMARY KEY ("turn_id","level","position")
);

ALTER TABLE "turn_parts" ADD CONSTRAINT "turn_parts_turn_id_fkey" FOREIGN KEY ("turn_id") REFERENCES "turns"("id") ON DELETE CASCADE ON UPDATE CASCADE;
