-- By which the notes on a part are found again when its turn failed and is tried once more.
ALTER TABLE "turn_parts" ADD COLUMN "fingerprint" TEXT;
