-- A file that cannot be read ends its turn with one code, whatever the reason (contract §4). The message says which it was.
UPDATE "turns" SET "error_code" = 'UNSUPPORTED_FILE' WHERE "error_code" = 'FILE_UNREADABLE';
UPDATE "sessions" SET "error_code" = 'UNSUPPORTED_FILE' WHERE "error_code" = 'FILE_UNREADABLE';
