-- What a person of a team chose to be mailed of, by topic; what is not in it goes by their role.
ALTER TABLE "members" ADD COLUMN "alert_mails" JSONB NOT NULL DEFAULT '{}';
