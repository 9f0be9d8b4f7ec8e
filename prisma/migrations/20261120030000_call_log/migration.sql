-- The ledger is append-only: what is wrong in it is put right by a further entry. Erasing an account has to switch this
-- trigger off by name, in its own transaction.
-- The WebAssembly engine cuts scripts at every semicolon, also within a text: the body writes its own as \x3b.
CREATE FUNCTION "refuse_ledger_change"() RETURNS trigger LANGUAGE plpgsql AS E'
BEGIN
  RAISE EXCEPTION ''ledger_entries is append-only: % refused'', TG_OP USING ERRCODE = ''insufficient_privilege''\x3b
END';

CREATE TRIGGER "ledger_entries_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "ledger_entries"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();

-- GET /account counts the sessions of an account by how they stand, from the index alone.
DROP INDEX "sessions_account_id_idx";
CREATE INDEX "sessions_account_id_status_error_code_idx" ON "sessions"("account_id", "status", "error_code");
