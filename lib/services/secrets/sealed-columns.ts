/** A column that holds what `sealSecret` made, or null. */
export interface SealedColumn {
  table: string;
  /** The primary key, all of it text. */
  keys: readonly string[];
  column: string;
  /** The sealed text is a JSON string in a `jsonb` column. */
  isJson?: boolean;
}

/** Every sealed column of the schema; a test finds those that are missing here by their names. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: "projects", keys: ["id"], column: "callback_secret_encrypted" },
  { table: "projects", keys: ["id"], column: "previous_callback_secret_encrypted" },
  { table: "webhook_registrations", keys: ["id"], column: "secret_encrypted" },
  { table: "webhook_registrations", keys: ["id"], column: "previous_secret_encrypted" },
  { table: "alert_chats", keys: ["account_id"], column: "address_encrypted" },
  { table: "users", keys: ["id"], column: "totp_secret_encrypted" },
  { table: "users", keys: ["id"], column: "totp_pending_encrypted" },
  { table: "mails", keys: ["id"], column: "sealed" },
  { table: "idempotency_keys", keys: ["project_id", "key"], column: "response", isJson: true },
];
