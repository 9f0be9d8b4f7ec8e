-- The next rows of an open cursor, whose only column is JSON: as many as come to so many bytes, and at least one where any is
-- left. A fixed number of rows is either too many to hold in memory or, with the database some milliseconds away, too few.
CREATE FUNCTION "fetch_some"("cursor_name" refcursor, "most_bytes" integer) RETURNS SETOF jsonb LANGUAGE plpgsql AS E'
DECLARE
  next_row jsonb\x3b
  bytes bigint := 0\x3b
BEGIN
  WHILE bytes < most_bytes LOOP
    FETCH cursor_name INTO next_row\x3b
    EXIT WHEN NOT FOUND\x3b
    bytes := bytes + pg_column_size(next_row)\x3b
    RETURN NEXT next_row\x3b
  END LOOP\x3b
END';
