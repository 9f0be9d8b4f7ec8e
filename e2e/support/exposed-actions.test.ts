import { describe, expect, it } from "vitest";
import { type Exposed, readActions, readPages, readRoutes } from "@/e2e/support/panel-source";
import { mayDo, type PanelActionId, ROLES, ruleOf, type StaffActionId } from "@/lib/domain/panel-actions";

/**
 * Who may do what, said once more and apart from the action table and the lines of it that pages, actions and routes name:
 * the tests over HTTP ask those what to expect, and would believe an action that names the wrong line.
 */

const ACTIONS = readActions();

const OWNERS = ["changeRole", "eraseAccount", "exportAccount", "removeChat", "setChat", "testChat"];

const ADMINS = [
  ...["askForMore", "withdrawRequest", "submitCompany", "renameCompany", "createProject", "saveProject"],
  ...["createKey", "limitKey", "makeShortKey", "revokeKey", "rotateKey"],
  "releaseTemplateAction",
  ...["createWebhook", "deleteWebhook", "saveWebhook", "switchOff", "switchOn"],
  ...["rotateCallbackSecret", "rotateSecret", "showCallbackSecret", "showSecret"],
  ...["resendFailed", "resendOne", "retryAll", "sendElsewhere", "sendPast", "sendTest"],
  ...["deleteKnowledgeAction", "deleteSession", "deleteTemplateAction", "switchKnowledgeAction"],
  ...["eraseEndUser", "exportEndUser", "forgetMemory", "saveMemory"],
  ...["inviteMember", "removeMember", "revokeInvitation"],
];

const EVERYBODY = [
  ...["createKnowledgeAction", "restoreKnowledgeAction", "saveKnowledgeAction", "uploadKnowledgeAction"],
  ...["createTemplateAction", "restoreTemplateAction", "saveTemplateAction", "testTemplateAction"],
  ...["deleteExampleAction", "keepExampleAction", "quoteExamplesAction", "saveExampleAction"],
  ...["uploadTemplateAction", "cancelSession", "retrySession", "chooseAlertMails", "dismissAlert"],
  ...["hideChecklist", "leaveTeam", "selectProject"],
];

const STAFF_WITH_REASON = [
  ...["confirmCredits", "declineRequest", "grantCredits", "refuseCredits", "resend", "restore", "setPlan"],
  ...["setRateLimit", "suspend", "withdrawCredits"],
];

const ABOUT_ONESELF = [
  ...["allowIdentity", "changeName", "changePassword", "confirmPassword", "disableSecondFactor", "enableSecondFactor"],
  ...["erasePersonAction", "joinTeamAction", "moveSecondFactor", "offerSecondFactor", "openAccountAction"],
  ...["readPlace", "removeIdentity", "renewRecoveryCodes", "requestEmailChange", "revokeSession"],
  ...["signOutElsewhere", "withdrawSecondFactorOffer"],
];

const WITHOUT_SIGN_IN = [
  ...["changeEmailAction", "confirmEmailAction", "joinAsNewPersonAction", "requestResetAction"],
  ...["resendConfirmationAction", "resetPasswordAction", "signUpAction"],
];

const WITH_A_FRESH_SIGN_IN = [
  ...["createKey", "makeShortKey", "rotateKey"],
  ...["rotateCallbackSecret", "rotateSecret", "showCallbackSecret", "showSecret"],
  ...["changeRole", "inviteMember", "removeMember", "eraseAccount", "exportAccount", "eraseEndUser"],
  ...["disableSecondFactor", "enableSecondFactor", "moveSecondFactor", "offerSecondFactor", "renewRecoveryCodes"],
  ...[
    "allowIdentity",
    "erasePersonAction",
    "removeIdentity",
    "confirmCredits",
    "grantCredits",
    "suspend",
    "withdrawCredits",
  ],
];

const ROUTES = {
  owner: ["/panel/settings/company/exports/[id]"],
  "owner, admin": [
    "/panel/api-b2b/logs/calls.csv",
    "/panel/api-b2b/webhooks/deliveries.csv",
    "/panel/end-users/exports/[id]",
    "/panel/sessions/answers.csv",
    "/panel/sessions/sessions.csv",
    "/panel/settings/audit-log/audit-log.csv",
    "/panel/usage/end-users.csv",
    "/panel/usage/export.csv",
    "/panel/usage/keys.csv",
    "/panel/usage/projects.csv",
  ],
  "owner, admin, member": [
    "/panel/api-b2b/logs/tail",
    "/panel/sessions/[id]/conversation.md",
    "/panel/sessions/[id]/files/[fileId]",
    "/panel/sessions/[id]/stream",
  ],
};

/** "owner, admin"; of what is no account's, its audience. */
function whoMay({ audience, action }: Exposed): string {
  return audience === "panel" ? ROLES.filter((role) => mayDo(role, action as PanelActionId)).join(", ") : audience;
}

/** The names of those that exist, by who may do them. */
function byWhoMay<Place extends Exposed>(places: Place[], nameOf: (place: Place) => string): Record<string, string[]> {
  const grouped = [...Map.groupBy(places, whoMay)];
  return Object.fromEntries(grouped.map(([who, some]) => [who, some.map(nameOf).sort()]));
}

describe("whoever may", () => {
  it("call each action of the panel and of staff is named here", () => {
    expect(byWhoMay(ACTIONS, ({ name }) => name)).toEqual({
      owner: OWNERS.toSorted(),
      "owner, admin": ADMINS.toSorted(),
      "owner, admin, member": EVERYBODY.toSorted(),
      staff: ["decide", ...STAFF_WITH_REASON].sort(),
      person: ABOUT_ONESELF.toSorted(),
      public: WITHOUT_SIGN_IN.toSorted(),
    });
  });

  it("take each download and stream of the panel is named here", () => {
    expect(byWhoMay(readRoutes(), ({ path }) => path)).toEqual(ROUTES);
  });

  it("see a page is everybody of the account, but of the audit log its owners and admins alone", () => {
    const { panel = [] } = Object.groupBy(readPages(), ({ audience }) => audience);
    const { "owner, admin, member": shown = [], ...rest } = byWhoMay(panel, ({ path }) => path);
    expect(shown.length).toBeGreaterThan(20);
    expect(rest).toEqual({ "owner, admin": ["/panel/settings/audit-log"] });
  });
});

it("the password is wanted again for each act that gives power or secrets, or cannot be undone", () => {
  const fresh = ACTIONS.filter(({ isFreshSignInWanted }) => isFreshSignInWanted).map(({ name }) => name);
  expect(fresh.sort()).toEqual(WITH_A_FRESH_SIGN_IN.toSorted());
});

it("a reason is wanted of staff for whatever they do to an account", () => {
  const reasoned = ACTIONS.filter(({ audience, action }) => {
    return audience === "staff" && ruleOf(action as StaffActionId).needsReason;
  });
  expect(reasoned.map(({ name }) => name).sort()).toEqual(STAFF_WITH_REASON.toSorted());
});
