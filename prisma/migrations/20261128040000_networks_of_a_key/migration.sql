-- From where a key may be used; none: from anywhere.
ALTER TABLE "api_keys" ADD COLUMN "allowed_networks" TEXT[] DEFAULT ARRAY[]::TEXT[];
