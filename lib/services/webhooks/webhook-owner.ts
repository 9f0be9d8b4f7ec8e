import type { Principal } from "@/lib/domain/principal";

/** Whose registrations and deliveries are meant: an API key's project, or the one that the panel shows. */
export type WebhookOwner = Pick<Principal, "accountId" | "projectId">;
