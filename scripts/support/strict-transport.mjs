/** What asks browsers to stay with https: a year, for this host alone. lib/http/respond.ts says the same for the API. */
export const STRICT_TRANSPORT = "max-age=31536000";
