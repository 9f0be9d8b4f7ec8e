-- Values and a message that a template is tried with, kept for everybody who changes it.
CREATE TABLE "template_examples" (
    "id" TEXT NOT NULL,
    "template_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "values" JSONB NOT NULL,
    "message" TEXT NOT NULL,
    "created_by_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "template_examples_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "template_examples_template_id_name_key" ON "template_examples"("template_id", "name");

ALTER TABLE "template_examples" ADD CONSTRAINT "template_examples_template_id_fkey" FOREIGN KEY ("template_id") REFERENCES "templates"("id") ON DELETE CASCADE ON UPDATE CASCADE;
