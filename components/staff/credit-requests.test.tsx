import { renderToStaticMarkup } from "react-dom/server";
import { expect, it, vi } from "vitest";
import { CreditRequests } from "@/components/staff/credit-requests";

// As in row-buttons.test.tsx.
vi.mock("next/navigation", async (load) => ({ ...(await load<object>()), useRouter: () => ({ refresh: () => {} }) }));

const AT = "2026-11-25T12:00:00.000Z";
const never = () => new Promise<never>(() => {});
const request = {
  id: "crq_1",
  accountId: "acc_1",
  companyName: "Blue Ltd",
  amount: 50_000,
  givenSince: 0,
  isSuspended: false,
  reason: "A pilot",
  state: "pending" as const,
  requestedById: "usr_1",
  requestedBy: "ann@example.com",
  decidedBy: null,
  decisionReason: null,
  createdAt: AT,
  expiresAt: AT,
  decidedAt: null,
};

it.each([
  [false, "Somebody else has to decide."],
  [true, "nobody is there to confirm a grant. Whoever runs the service can add somebody with"],
])("one's own large grant says who has to decide; as the only member of staff: %s", (isOnlyStaff, words) => {
  const list = renderToStaticMarkup(
    <CreditRequests confirm={never} isOnlyStaff={isOnlyStaff} refuse={never} requests={[request]} userId="usr_1" />,
  );
  expect(list).toContain(words);
  expect([...list.matchAll(/<button[^>]* aria-label="([^"]*)"/g)].map(([, name]) => name)).toEqual([
    "Take back: 50,000 credits for Blue Ltd",
  ]);
});

it.each([true, false])("what waits says whether its account is suspended: %s", (isSuspended) => {
  const list = renderToStaticMarkup(
    <CreditRequests
      confirm={never}
      isOnlyStaff={false}
      refuse={never}
      requests={[{ ...request, isSuspended }]}
      userId="usr_2"
    />,
  );
  expect(list.includes("The account is suspended.")).toBe(isSuspended);
});
