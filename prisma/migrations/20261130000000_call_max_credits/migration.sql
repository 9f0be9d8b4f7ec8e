-- A call whose project let it cost less than it named itself kept the lower bound alone: once the limit of the project was raised,
-- trying it again failed by the old one.
ALTER TABLE "turns" ADD COLUMN "call_max_credits" INTEGER;
