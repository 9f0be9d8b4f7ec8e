import type { AuditRecord } from "@/lib/contracts/audit";

/** What was done, as people say it; what is not here is shown by its name. */
const WORDS: Record<string, string> = {
  "account.add-credits": "Credits granted",
  "account.close": "Account shut",
  "account.confirm-credits": "Grant of credits confirmed",
  "account.create": "Account created",
  "account.erase": "Account erased",
  "account.export": "Export of the account asked for",
  "account.refuse-credits": "Grant of credits refused",
  "account.rename": "Company renamed",
  "account.request-credits": "Grant of credits waits for a second person",
  "account.request-erasure": "Erasure of the account asked for",
  "account.restore": "Account restored",
  "account.set-plan": "Plan changed",
  "account.set-rate-limit": "Rate limit changed",
  "account.suspend": "Account suspended",
  "account.take-export": "Export of the account downloaded",
  "account.verify": "Company verified",
  "account.withdraw-credits": "Credits withdrawn",
  "alert.dismiss": "Alert dismissed",
  "csv.calls": "Calls taken as CSV",
  "csv.deliveries": "Deliveries taken as CSV",
  "csv.usage": "Usage taken as CSV",
  "delivery.resend": "Delivery sent again",
  "delivery.resend-failed": "Missed deliveries sent again",
  "encryption-key.rotate": "Encryption key rotated",
  "end-user.erase": "Erasure of an end user asked for",
  "end-user.export": "Export of an end user asked for",
  "end-user.take-export": "Export of an end user downloaded",
  "key.create": "API key created",
  "key.revoke": "API key revoked",
  "key.rotate": "API key rotated",
  "knowledge.delete": "Knowledge file deleted",
  "knowledge.restore": "Version of a knowledge file restored",
  "memory.edit": "Memory changed",
  "memory.forget": "Memory forgotten",
  "person.change-email": "E-mail address changed",
  "person.change-name": "Name changed",
  "person.change-password": "Password changed",
  "person.confirm-email": "E-mail address confirmed",
  "person.create-email-link": "Link for a new e-mail address made",
  "person.create-password-link": "Link for a new password made",
  "person.disable": "Person shut out",
  "person.disable-second-factor": "Second factor switched off",
  "person.enable-second-factor": "Second factor switched on",
  "person.erase": "Person erased",
  "person.join-identity": "Sign-in of another service joined",
  "person.remove-identity": "Sign-in of another service removed",
  "person.move-second-factor": "Second factor moved",
  "person.renew-recovery-codes": "Recovery codes renewed",
  "person.request-email-change": "New e-mail address asked for",
  "person.request-password-reset": "New password asked for",
  "person.sign-in": "Signed in",
  "person.sign-out": "Signed out",
  "person.sign-out-everywhere": "Signed out everywhere",
  "project.create": "Project created",
  "project.rotate-callback-secret": "Callback secret rotated",
  "project.show-callback-secret": "Callback secret shown",
  "project.update": "Project changed",
  "session.delete": "Session deleted",
  "staff.create": "Staff member created",
  "team.change-role": "Role changed",
  "team.invite": "Person invited",
  "team.join": "Person joined",
  "team.leave": "Person left",
  "team.remove": "Person removed",
  "team.revoke-invitation": "Invitation revoked",
  "template.delete": "Template deleted",
  "template.restore": "Version of a template restored",
  "verification.approve": "Verification approved",
  "verification.ask": "Verification: more was asked",
  "verification.reject": "Verification rejected",
  "verification.submit": "Company data handed in",
  "webhook.create": "Webhook registered",
  "webhook.delete": "Webhook deleted",
  "webhook.reactivate": "Webhook switched on again",
  "webhook.rotate-secret": "Webhook secret rotated",
  "webhook.show-secret": "Webhook secret shown",
  "webhook.test": "Test event sent",
  "webhook.update": "Webhook changed",
};

/** The first half of actions, for the filter. */
export const AUDIT_NOUNS = [
  { id: "account", name: "Account" },
  { id: "alert", name: "Alerts" },
  { id: "csv", name: "CSV exports" },
  { id: "delivery", name: "Deliveries" },
  { id: "end-user", name: "End users" },
  { id: "key", name: "API keys" },
  { id: "knowledge", name: "Knowledge" },
  { id: "memory", name: "Memory" },
  { id: "project", name: "Projects" },
  { id: "session", name: "Sessions" },
  { id: "team", name: "Team" },
  { id: "template", name: "Templates" },
  { id: "verification", name: "Verification" },
  { id: "webhook", name: "Webhooks" },
];

/** "API key revoked" for "key.revoke". */
export function auditWords(action: string): string {
  return Object.hasOwn(WORDS, action) ? (WORDS[action] ?? action) : action;
}

const KINDS: Record<AuditRecord["actor"]["kind"], string> = {
  owner: "Somebody of your team",
  staff: "Staff of the service",
  operator: "Operator of the service",
  system: "The service itself",
};

/** Who did it: a person of the account by their address, else on whose behalf it was done. */
export function actorName({ kind, person }: AuditRecord["actor"]): string {
  if (kind === "owner" && person) return person.email ?? "Somebody who is gone";
  return KINDS[kind];
}
