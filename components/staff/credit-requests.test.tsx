import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { CreditRequests } from "@/components/staff/credit-requests";

const AT = "2026-11-25T12:00:00.000Z";
const never = () => new Promise<never>(() => {});
const request = {
  id: "crq_1",
  accountId: "acc_1",
  companyName: "Blue Ltd",
  amount: 50_000,
  givenSince: 0,
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
  expect(list).not.toContain("<button");
});
