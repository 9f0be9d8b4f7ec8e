-- What an open turn is making, so that a worker can go on where another stopped and nothing is paid for twice.
CREATE TABLE "turn_outputs" (
    "turn_id" TEXT NOT NULL,
    "order" JSONB NOT NULL,
    "credits" INTEGER NOT NULL,
    "answer" JSONB NOT NULL,
    "job_id" TEXT,
    "job_at" TIMESTAMPTZ(3),
    "draft" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "turn_outputs_pkey" PRIMARY KEY ("turn_id")
);

ALTER TABLE "turn_outputs" ADD CONSTRAINT "turn_outputs_turn_id_fkey" FOREIGN KEY ("turn_id") REFERENCES "turns"("id") ON DELETE CASCADE ON UPDATE CASCADE;
