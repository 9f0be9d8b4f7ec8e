-- The audit log is append-only: what somebody did stays as it was written. Erasing a person or an account changes it all the
-- same, and such a transaction says so by the setting service.erasing, which ends with it. Nothing ever empties the table.
-- The WebAssembly engine cuts scripts at every semicolon, also within a text: the body writes its own as \x3b.
CREATE FUNCTION "refuse_audit_change"() RETURNS trigger LANGUAGE plpgsql AS E'
BEGIN
  IF TG_OP <> ''TRUNCATE'' AND current_setting(''service.erasing'', true) = ''on'' THEN
    RETURN NULL\x3b
  END IF\x3b
  RAISE EXCEPTION ''audit_log is append-only: % refused'', TG_OP USING ERRCODE = ''insufficient_privilege''\x3b
END';

CREATE TRIGGER "audit_log_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_log"
  FOR EACH STATEMENT EXECUTE FUNCTION "refuse_audit_change"();
