-- What is said in a file, so that no other process and no later turn has it transcribed, and paid for, again.
ALTER TABLE "stored_files" ADD COLUMN "transcript" TEXT;
ALTER TABLE "stored_files" ADD COLUMN "transcript_model" TEXT;
ALTER TABLE "stored_files" ADD COLUMN "transcript_seconds" DOUBLE PRECISION;
ALTER TABLE "stored_files" ADD COLUMN "transcript_turn_id" TEXT;
