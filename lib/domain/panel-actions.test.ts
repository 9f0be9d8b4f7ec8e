import { describe, expect, it } from "vitest";
import {
  isRole,
  mayDo,
  PANEL_ACTIONS,
  type PanelActionId,
  ROLES,
  ruleOf,
  STAFF_ACTIONS,
} from "@/lib/domain/panel-actions";

const IDS = Object.keys(PANEL_ACTIONS) as PanelActionId[];
const allowed = (role: (typeof ROLES)[number]) => IDS.filter((id) => mayDo(role, id));

describe("the action table", () => {
  it("gives an owner every action of an account", () => {
    expect(allowed("owner")).toEqual(IDS);
  });

  it("gives each role at most what the role above it has", () => {
    expect(allowed("owner")).toEqual(expect.arrayContaining(allowed("admin")));
    expect(allowed("admin")).toEqual(expect.arrayContaining(allowed("member")));
  });

  it("lets a member read everything but the audit log", () => {
    const views = IDS.filter((id) => id.endsWith(".view"));
    expect(views.filter((id) => !mayDo("member", id))).toEqual(["audit.view"]);
  });

  it("lets a member change sessions under way, templates and knowledge, and nothing else", () => {
    expect(allowed("member").filter((id) => !id.endsWith(".view"))).toEqual([
      "search.use",
      "alerts.dismiss",
      "alerts.choose-mails",
      "sessions.cancel",
      "sessions.retry",
      "templates.create",
      "templates.update",
      "templates.test",
      "templates.keep-example",
      "templates.delete-example",
      "knowledge.create",
      "knowledge.update",
      "playground.use",
      "project.select",
      "team.leave",
    ]);
  });

  it("keeps roles, and all that an account has and its end, for owners", () => {
    expect(IDS.filter((id) => !mayDo("admin", id))).toEqual([
      "alerts.set-chat",
      "team.change-role",
      "account.export",
      "account.take-export",
      "account.erase",
    ]);
  });

  it.each([
    "keys.create",
    "webhooks.secret.show",
    "webhooks.secret.rotate",
    "team.change-role",
    "end-users.erase",
    "account.export",
    "account.erase",
    "staff.accounts.suspend",
  ] as const)("wants the password again for %s", (id) => {
    expect(ruleOf(id).needsFreshSignIn).toBe(true);
  });

  it("wants a reason for whatever staff do to an account", () => {
    const acts = Object.entries(STAFF_ACTIONS).filter(
      ([id]) => id.startsWith("staff.accounts.") && !id.endsWith(".view"),
    );
    expect(acts.filter(([, rule]) => !("needsReason" in rule))).toEqual([]);
  });

  it("keeps staff's actions apart from those of accounts", () => {
    expect(IDS.filter((id) => id.startsWith("staff."))).toEqual([]);
    expect(Object.keys(STAFF_ACTIONS).filter((id) => !id.startsWith("staff."))).toEqual([]);
  });

  it("knows roles from other words", () => {
    expect(ROLES.every(isRole)).toBe(true);
    expect(["", "Owner", "staff", "constructor"].some(isRole)).toBe(false);
  });
});
