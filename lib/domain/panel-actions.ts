/**
 * The one table of what people may do: every page, action and route of the panel names a line of it. What is not in it
 * nobody may do.
 */

/** A person's role in an account. */
export const ROLES = ["owner", "admin", "member"] as const;

export type Role = (typeof ROLES)[number];

/** As mails call somebody who has it. */
export const ROLE_WORDS = {
  owner: "an owner",
  admin: "an admin",
  member: "a member",
} as const satisfies Record<Role, string>;

/** Who may do what, and under which conditions. */
export interface ActionRule {
  /** As the audit log and dialogs call it. */
  label: string;
  /** Wants a reason, which the audit log keeps. */
  needsReason?: true;
  /** Wants the password within the last minutes (`FRESH_SIGN_IN_SECONDS`): secrets, roles, what cannot be undone. */
  needsFreshSignIn?: true;
  /** Not of an account that is suspended: has the service send something to whomever the account names. */
  restsWhileSuspended?: true;
}

interface PanelActionRule extends ActionRule {
  roles: readonly Role[];
}

/** How long after giving the password a sign-in counts as fresh. */
export const FRESH_SIGN_IN_SECONDS = 600;

const EVERYBODY = ROLES;
const ADMINS = ["owner", "admin"] as const satisfies Role[];
const OWNERS = ["owner"] as const satisfies Role[];

/** What people of an account may do. */
export const PANEL_ACTIONS = {
  "overview.view": { label: "See the overview", roles: EVERYBODY },
  "search.use": { label: "Search by id", roles: EVERYBODY },
  "alerts.view": { label: "See alerts", roles: EVERYBODY },
  "alerts.dismiss": { label: "Dismiss an alert", roles: EVERYBODY },
  "alerts.choose-mails": { label: "Choose what one is mailed of", roles: EVERYBODY },
  "alerts.set-chat": { label: "Choose the chat that alerts go to", roles: OWNERS },

  "keys.view": { label: "See API keys", roles: EVERYBODY },
  "keys.create": { label: "Create an API key", roles: ADMINS, needsFreshSignIn: true },
  "keys.rotate": { label: "Rotate an API key", roles: ADMINS, needsFreshSignIn: true },
  "keys.limit": { label: "Limit what an API key may use, and from where", roles: ADMINS },
  "keys.revoke": { label: "Revoke an API key", roles: ADMINS },

  "webhooks.view": { label: "See webhooks", roles: EVERYBODY },
  "webhooks.create": { label: "Register a webhook", roles: ADMINS },
  "webhooks.update": { label: "Change a webhook", roles: ADMINS },
  "webhooks.delete": { label: "Delete a webhook", roles: ADMINS },
  "webhooks.reactivate": { label: "Switch a webhook on again", roles: ADMINS },
  "webhooks.secret.show": { label: "Show a signing secret", roles: ADMINS, needsFreshSignIn: true },
  "webhooks.secret.rotate": { label: "Rotate a signing secret", roles: ADMINS, needsFreshSignIn: true },
  "webhooks.test": { label: "Send a test event", roles: ADMINS, restsWhileSuspended: true },
  "deliveries.view": { label: "See deliveries", roles: EVERYBODY },
  "deliveries.export": { label: "Export deliveries", roles: ADMINS },
  "deliveries.resend": { label: "Send a delivery again", roles: ADMINS, restsWhileSuspended: true },

  "logs.view": { label: "See calls", roles: EVERYBODY },
  "logs.export": { label: "Export calls", roles: ADMINS },

  "verification.view": { label: "See the verification", roles: EVERYBODY },
  "verification.submit": { label: "Hand in company data", roles: ADMINS },

  "sessions.view": { label: "See sessions", roles: EVERYBODY },
  "sessions.export": { label: "Export sessions", roles: ADMINS },
  "sessions.cancel": { label: "Cancel a session", roles: EVERYBODY },
  "sessions.retry": { label: "Try a session again", roles: EVERYBODY, restsWhileSuspended: true },
  "sessions.retry-all": { label: "Try all failed sessions again", roles: ADMINS, restsWhileSuspended: true },
  "sessions.delete": { label: "Delete a session", roles: ADMINS },

  "templates.view": { label: "See templates", roles: EVERYBODY },
  "templates.create": { label: "Create a template", roles: EVERYBODY },
  "templates.update": { label: "Change a template", roles: EVERYBODY },
  "templates.release": { label: "Choose the version of a template that calls use", roles: ADMINS },
  "templates.delete": { label: "Delete a template", roles: ADMINS },
  "templates.test": { label: "Test a template", roles: EVERYBODY },
  "templates.keep-example": { label: "Keep or change an example of a template", roles: EVERYBODY },
  "templates.delete-example": { label: "Delete an example of a template", roles: EVERYBODY },

  "knowledge.view": { label: "See the knowledge base", roles: EVERYBODY },
  "knowledge.create": { label: "Add a knowledge file", roles: EVERYBODY },
  "knowledge.update": { label: "Change a knowledge file", roles: EVERYBODY },
  "knowledge.delete": { label: "Delete a knowledge file", roles: ADMINS },

  "end-users.view": { label: "See end users", roles: EVERYBODY },
  "end-users.export": { label: "Export an end user's data", roles: ADMINS },
  "end-users.erase": { label: "Erase an end user", roles: ADMINS, needsFreshSignIn: true },
  "memory.view": { label: "See what is remembered", roles: EVERYBODY },
  "memory.edit": { label: "Change what is remembered", roles: ADMINS },
  "memory.forget": { label: "Forget an end user", roles: ADMINS },

  "usage.view": { label: "See usage", roles: EVERYBODY },
  "usage.export": { label: "Export usage", roles: ADMINS },
  "billing.view": { label: "See plan and credits", roles: EVERYBODY },
  "billing.request": { label: "Ask for credits or another plan", roles: ADMINS },

  "playground.use": { label: "Use the playground", roles: EVERYBODY },

  "project.view": { label: "See the project's settings", roles: EVERYBODY },
  "project.update": { label: "Change the project", roles: ADMINS },
  "project.create": { label: "Create a project", roles: ADMINS },
  "project.select": { label: "Switch the project", roles: EVERYBODY },

  "team.view": { label: "See the team", roles: EVERYBODY },
  "team.invite": { label: "Invite people", roles: ADMINS, needsFreshSignIn: true, restsWhileSuspended: true },
  "team.revoke-invitation": { label: "Take an invitation back", roles: ADMINS },
  "team.change-role": { label: "Change a role", roles: OWNERS, needsFreshSignIn: true },
  "team.remove": { label: "Remove people", roles: ADMINS, needsFreshSignIn: true },

  "team.leave": { label: "Leave the team", roles: EVERYBODY },

  "account.view": { label: "See the account", roles: EVERYBODY },
  "account.update": { label: "Change the account", roles: ADMINS },
  "account.export": { label: "Export the account", roles: OWNERS, needsFreshSignIn: true },
  "account.take-export": { label: "Download an export of the account", roles: OWNERS },
  "account.erase": { label: "Erase the account", roles: OWNERS, needsFreshSignIn: true },
  "audit.view": { label: "See the audit log", roles: ADMINS },

  "profile.view": { label: "See one's own profile", roles: EVERYBODY },
} as const satisfies Record<string, PanelActionRule>;

export type PanelActionId = keyof typeof PANEL_ACTIONS;

/** What staff may do. Nobody else may any of it, and staff may nothing of the table above. */
export const STAFF_ACTIONS = {
  "staff.verifications.view": { label: "See verifications" },
  "staff.verifications.decide": { label: "Decide a verification" },
  "staff.accounts.view": { label: "See accounts" },
  "staff.accounts.set-plan": { label: "Set an account's plan", needsReason: true },
  "staff.accounts.grant-credits": { label: "Grant credits", needsReason: true, needsFreshSignIn: true },
  "staff.accounts.confirm-credits": {
    label: "Confirm a colleague's grant of credits",
    needsReason: true,
    needsFreshSignIn: true,
  },
  "staff.accounts.refuse-credits": { label: "Refuse a grant of credits, or take one's own back", needsReason: true },
  "staff.accounts.withdraw-credits": { label: "Withdraw credits", needsReason: true, needsFreshSignIn: true },
  "staff.accounts.decline-request": { label: "Decline what an account asks for", needsReason: true },
  "staff.accounts.set-rate-limit": { label: "Set an account's rate limit", needsReason: true },
  "staff.accounts.suspend": { label: "Suspend an account", needsReason: true, needsFreshSignIn: true },
  "staff.accounts.restore": { label: "Restore an account", needsReason: true },
  "staff.logs.view": { label: "See calls of all accounts" },
  "staff.deliveries.view": { label: "See deliveries of all accounts" },
  "staff.deliveries.resend": { label: "Send a delivery again", needsReason: true },
  "staff.system.view": { label: "See the system" },
  "staff.audit.view": { label: "See the audit log" },
  "staff.profile.view": { label: "See one's own profile" },
} as const satisfies Record<string, ActionRule>;

export type StaffActionId = keyof typeof STAFF_ACTIONS;

/** Whether a role allows an action; no role, no action. */
export function mayDo(role: Role, action: PanelActionId): boolean {
  const { roles }: PanelActionRule = PANEL_ACTIONS[action];
  return roles.includes(role);
}

/** The conditions of an action of either table. */
export function ruleOf(action: PanelActionId | StaffActionId): ActionRule {
  return action in STAFF_ACTIONS ? STAFF_ACTIONS[action as StaffActionId] : PANEL_ACTIONS[action as PanelActionId];
}

/** Whether a text names a role. */
export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}
