-- In which browser a key of the playground was made: it ends with that one's session, not with those of its maker's others.
-- No reference: sessions are swept when they are over, and by then the key has ended.
ALTER TABLE "api_keys" ADD COLUMN "user_session_id" TEXT;
