-- CreateTable
CREATE TABLE "runner_functions" (
    "id" TEXT NOT NULL,
    "app_id" TEXT NOT NULL,
    "config" TEXT NOT NULL,
    "is_active" BOOLEAN NOT NULL,
    "synced_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "runner_functions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runner_crons" (
    "function_id" TEXT NOT NULL,
    "expression" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "runner_crons_pkey" PRIMARY KEY ("function_id","expression")
);

-- CreateTable
CREATE TABLE "runner_events" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "runner_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runner_runs" (
    "id" TEXT NOT NULL,
    "function_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "lane" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "pending" INTEGER NOT NULL,
    "output" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "runner_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runner_steps" (
    "run_id" TEXT NOT NULL,
    "step_id" TEXT NOT NULL,
    "position" BIGSERIAL NOT NULL,
    "output" TEXT NOT NULL,

    CONSTRAINT "runner_steps_pkey" PRIMARY KEY ("run_id","step_id")
);

-- CreateTable
CREATE TABLE "runner_items" (
    "run_id" TEXT NOT NULL,
    "step_id" TEXT NOT NULL,
    "lane" TEXT NOT NULL,
    "is_sleep" BOOLEAN NOT NULL,
    "state" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(6) NOT NULL,
    "attempt" INTEGER NOT NULL,
    "losses" INTEGER NOT NULL,
    "generation" INTEGER NOT NULL,
    "runner_id" TEXT,
    "leased_until" TIMESTAMPTZ(3),

    CONSTRAINT "runner_items_pkey" PRIMARY KEY ("run_id","step_id")
);

-- CreateIndex
CREATE INDEX "runner_events_received_at_idx" ON "runner_events"("received_at");

-- CreateIndex
CREATE INDEX "runner_runs_event_id_idx" ON "runner_runs"("event_id");

-- CreateIndex
CREATE INDEX "runner_runs_ended_at_idx" ON "runner_runs"("ended_at");



-- What Prisma's schema cannot word: the queue's partial indexes, one per state, and the failed runs.
CREATE INDEX "runner_items_ready_due_idx" ON "runner_items"("lane", "due_at", "run_id") WHERE "state" = 'ready';
CREATE INDEX "runner_items_waiting_due_idx" ON "runner_items"("due_at") WHERE "state" = 'waiting';
CREATE INDEX "runner_items_leased_due_idx" ON "runner_items"("leased_until") WHERE "state" = 'leased';
CREATE INDEX "runner_runs_failed_due_idx" ON "runner_runs"("ended_at") WHERE "status" = 'failed';

-- Rows of the queue live for milliseconds: vacuum early, without pauses.
ALTER TABLE "runner_items" SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
