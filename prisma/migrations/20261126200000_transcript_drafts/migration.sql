-- A long recording is transcribed in pieces: what is written down of it so far stands here until all of it is, so that nothing
-- is paid for twice after a fault. A column of its own: servers of the build before would take a beginning for the whole.
ALTER TABLE "stored_files" ADD COLUMN "transcript_draft" JSONB;
