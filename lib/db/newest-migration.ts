/** The newest folder of prisma/migrations: a database without it is not the one that this build was made for. */
export const NEWEST_MIGRATION = "20261130220000_asked_as_well_and_mails_in_turn";
