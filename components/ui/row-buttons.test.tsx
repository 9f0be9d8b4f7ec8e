import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { SessionList } from "@/components/account/session-list";
import { CreditRequests } from "@/components/staff/credit-requests";
import { InvitationList } from "@/components/team/invitation-list";
import { MemberList } from "@/components/team/member-list";

// Nothing is pressed: no page is there that a press could draw anew.
vi.mock("next/navigation", async (load) => ({ ...(await load<object>()), useRouter: () => ({ refresh: () => {} }) }));

const AT = "2026-11-25T12:00:00.000Z";
const never = () => new Promise<never>(() => {});
const invitation = { id: "inv_1", role: "member", createdAt: AT, expiresAt: AT };
const member = {
  userId: "usr_1",
  name: null,
  role: "member",
  hasSecondFactor: false,
  lastSignInAt: null,
  isSelf: false,
  mayRemove: true,
  keys: [],
};
const session = { id: "uss_1", browser: "Firefox on Windows", lastSeenAt: AT, createdAt: AT, isCurrent: false };
const request = {
  id: "crq_1",
  accountId: "acc_1",
  amount: 50_000,
  givenSince: 0,
  isSuspended: false,
  reason: "A pilot",
  state: "pending" as const,
  requestedById: "usr_2",
  requestedBy: "bob@example.com",
  decidedBy: null,
  decisionReason: null,
  createdAt: AT,
  expiresAt: AT,
  decidedAt: null,
};

describe("the buttons of rows say of which row they are", () => {
  it.each([
    [
      "invitations",
      <InvitationList invitations={[{ ...invitation, email: "ann@example.com" }]} key="1" revoke={never} />,
      ["Take back: ann@example.com"],
    ],
    [
      "members",
      <MemberList key="2" leave={never} members={[{ ...member, email: "ann@example.com" }]} remove={never} />,
      ["Remove: ann@example.com"],
    ],
    [
      "browsers",
      <SessionList key="3" revoke={never} sessions={[{ ...session, ip: "192.0.2.1" }]} />,
      ["Sign out: Firefox on Windows, 192.0.2.1"],
    ],
    [
      "grants",
      <CreditRequests
        confirm={never}
        isOnlyStaff={false}
        key="4"
        refuse={never}
        requests={[{ ...request, companyName: "Blue Ltd" }]}
        userId="usr_1"
      />,
      ["Confirm: 50,000 credits for Blue Ltd", "Refuse: 50,000 credits for Blue Ltd"],
    ],
  ])("of %s", (_what, list, names) => {
    const labels = [...renderToStaticMarkup(list).matchAll(/<button[^>]* aria-label="([^"]*)"/g)].map(
      ([, name]) => name,
    );
    expect(labels).toEqual(expect.arrayContaining(names));
  });
});
