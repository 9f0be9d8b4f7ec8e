-- The parts of a knowledge file, for calls whose prompt has no room for all files. Sections are ranked within one project,
-- so an index on the project is enough: an index on the words would be read for nearly every section anyway.
CREATE TABLE "knowledge_sections" (
    "file_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "project_id" TEXT NOT NULL,
    "heading" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "token_count" INTEGER NOT NULL,
    "search" tsvector GENERATED ALWAYS AS (setweight(to_tsvector('english'::regconfig, "heading"), 'A') || to_tsvector('english'::regconfig, "content")) STORED,

    CONSTRAINT "knowledge_sections_pkey" PRIMARY KEY ("file_id","position")
);

CREATE INDEX "knowledge_sections_project_id_idx" ON "knowledge_sections"("project_id");

ALTER TABLE "knowledge_sections" ADD CONSTRAINT "knowledge_sections_file_id_fkey" FOREIGN KEY ("file_id") REFERENCES "knowledge_files"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What was said before this time is not learned again.
ALTER TABLE "memory_profiles" ADD COLUMN "forgotten_at" TIMESTAMPTZ(3);

-- A turn is remembered once.
CREATE UNIQUE INDEX "memory_versions_project_id_end_user_id_turn_id_key" ON "memory_versions"("project_id", "end_user_id", "turn_id");
