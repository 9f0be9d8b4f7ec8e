-- The JSON Schema that a turn's answer has to fit. Of type json, which keeps the order of its words: models write in that order.
ALTER TABLE "turns" ADD COLUMN "output_schema" JSON;
