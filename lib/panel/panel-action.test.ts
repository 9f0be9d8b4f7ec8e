import { cookies, headers } from "next/headers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { createTestAccount } from "@/e2e/support/test-account";
import { newTestOwner, sessionOf, type TestOwner } from "@/e2e/support/test-people";
import { prisma } from "@/lib/db/prisma";
import { FRESH_SIGN_IN_SECONDS, type PanelActionId, type Role } from "@/lib/domain/panel-actions";
import { env } from "@/lib/env";
import { projectCookie, sessionCookie } from "@/lib/panel/cookies";
import { panelAction, personAction, staffAction } from "@/lib/panel/panel-action";
import { loadPanelContext } from "@/lib/panel/panel-context";
import { createStaff } from "@/lib/services/accounts/create-staff";
import { OPERATOR } from "@/lib/services/accounts/record-audit";
import { createProject } from "@/lib/services/projects/create-project";

vi.mock("next/headers", () => ({ cookies: vi.fn(), headers: vi.fn() }));

useServiceDatabase();

let accountId: string;
let owner: TestOwner;
const handler = vi.fn(async () => ({}));

beforeEach(async () => {
  handler.mockClear();
  owner = await newTestOwner();
  ({ accountId } = await prisma().member.findFirstOrThrow({ where: { userId: owner.userId } }));
});

/** The browser of somebody who is signed in, at a page of ours. */
async function browse(person: TestOwner, projectId?: string, origin = env().APP_URL): Promise<string> {
  const { token, sessionId } = await sessionOf(person);
  const jar = new Map([
    [sessionCookie().name, token],
    [projectCookie().name, projectId],
  ]);
  const get = (name: string) => (jar.get(name) === undefined ? undefined : { name, value: jar.get(name) });
  vi.mocked(cookies).mockResolvedValue({ get } as never);
  vi.mocked(headers).mockResolvedValue(new Headers({ origin }) as never);
  return sessionId;
}

async function codeOf(action: PanelActionId): Promise<string> {
  const result = await panelAction(action, z.undefined(), handler)();
  return result.ok ? "done" : result.code;
}

const setRole = (role: Role) => prisma().member.updateMany({ where: { userId: owner.userId }, data: { role } });
const ageSignIn = () =>
  prisma().userSession.updateMany({
    where: { userId: owner.userId },
    data: { confirmedAt: new Date(Date.now() - FRESH_SIGN_IN_SECONDS * 1_000) },
  });

describe("whoever works in the panel", () => {
  it("works on the project that they chose, within its own limits, and in their own session", async () => {
    const other = await createTestAccount();
    await prisma().member.create({ data: { accountId: other.accountId, userId: owner.userId, role: "member" } });
    const { id } = await createProject(OPERATOR, other, { name: "Second" });
    const limits = { creditsPerMonth: 30, endUserCreditsPerMonth: 20, creditsPerCall: 10 };
    await prisma().project.update({ where: { id }, data: limits });
    const sessionId = await browse(owner, id);
    expect(await loadPanelContext()).toMatchObject({
      role: "member",
      account: { id: other.accountId },
      project: { id },
      principal: {
        accountId: other.accountId,
        projectId: id,
        allowances: { project: 30, endUser: 20, key: null, call: 10 },
      },
      actor: { kind: "owner", userId: owner.userId, sessionId },
    });
  });

  it("is nobody of the staff, though they are of an account", async () => {
    const staff = await createStaff(OPERATOR, { email: `staff-${accountId}@service.example`.toLowerCase() });
    await prisma().member.create({ data: { accountId, userId: staff.userId, role: "owner" } });
    await browse(staff);
    expect(await loadPanelContext()).toBeNull();
  });
});

describe("an action of the panel does nothing", () => {
  it("for a role that may not", async () => {
    await browse(owner);
    expect(await codeOf("keys.revoke")).toBe("done");
    await setRole("member");
    expect(await codeOf("keys.revoke")).toBe("NOT_FOUND");
    expect(handler).toHaveBeenCalledOnce();
  });

  it("without a fresh sign-in where it wants one", async () => {
    await browse(owner);
    expect(await codeOf("keys.create")).toBe("done");
    await ageSignIn();
    expect([await codeOf("keys.create"), await codeOf("keys.revoke")]).toEqual(["CONFIRM_PASSWORD", "done"]);
    const own = personAction("person.test", z.undefined(), handler, { needsFreshSignIn: true });
    expect(await own()).toMatchObject({ code: "CONFIRM_PASSWORD" });
    expect(handler).toHaveBeenCalledTimes(2);
  });

  it("that sends something, while the account is suspended", async () => {
    await prisma().account.update({ where: { id: accountId }, data: { verificationStatus: "suspended" } });
    await browse(owner);
    expect([await codeOf("webhooks.test"), await codeOf("webhooks.update")]).toEqual(["B2B_NOT_VERIFIED", "done"]);
  });

  it("for the page of another site", async () => {
    await browse(owner, undefined, "https://evil.example");
    expect(await codeOf("overview.view")).toBe("NOT_FOUND");
    expect(handler).not.toHaveBeenCalled();
  });
});

it("an action of staff wants a reason in words where its table says so, and acts as staff", async () => {
  const staff = await createStaff(OPERATOR, { email: `reason-${accountId}@service.example`.toLowerCase() });
  await prisma().user.update({ where: { id: staff.userId }, data: { totpSecretEncrypted: null } });
  const sessionId = await browse(staff);
  await prisma().user.update({ where: { id: staff.userId }, data: { totpSecretEncrypted: "sealed" } });
  const restore = staffAction("staff.accounts.restore", z.strictObject({ note: z.string().optional() }), handler);
  for (const reason of [undefined, "", "  x ", "ab"]) {
    expect(await restore({ reason })).toMatchObject({
      code: "VALIDATION_FAILED",
      fieldErrors: { reason: expect.any(String) },
    });
  }
  // As React gives what a browser names and does not send: it throws at whatever is asked of it.
  const reference = new Proxy(() => {}, {
    get: () => {
      throw new Error("You cannot dot into a temporary client reference.");
    },
  });
  for (const input of [reference, { reason: reference }]) {
    expect(await restore(input as never)).toMatchObject({ code: "VALIDATION_FAILED" });
  }
  expect(await restore({ reason: " Paid " })).toMatchObject({ ok: true });
  const actor = { kind: "staff", userId: staff.userId, sessionId };
  expect(handler).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ reason: "Paid", actor }), {});
});
