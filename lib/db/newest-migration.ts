/** The newest folder of prisma/migrations: a database without it is not the one that this build was made for. */
export const NEWEST_MIGRATION = "20261130210000_grants_of_requests";
