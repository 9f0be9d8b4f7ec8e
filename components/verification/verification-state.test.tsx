import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { VerificationState, type VerificationStateProps } from "@/components/verification/verification-state";
import type { Verification } from "@/lib/contracts/verification";

const draw = (status: Verification["status"], mailTo: VerificationStateProps["mailTo"]) =>
  renderToStaticMarkup(
    <VerificationState
      mailTo={mailTo}
      serverNow="2026-01-01T10:00:00.000Z"
      verification={{
        accountId: "acc_1",
        status,
        verifiedAt: null,
        canSubmit: false,
        suspension: null,
        submissions: [],
      }}
    />,
  ).replaceAll(/<[^>]*>/g, "");

it("names the address that the answer comes to, once it is waited for", () => {
  const ann = { email: "ann@acme.example" };
  expect(draw("pending", ann)).toContain("A mail to ann@acme.example tells you when it is there.");
  expect(draw("rejected", ann)).not.toContain("mail");
});

it("tells members that others get the mail, and speaks of none where none is sent", () => {
  expect(draw("pending", "owners and admins")).toContain("owners and admins when it is there.");
  expect(draw("pending", null)).not.toContain("mail");
});
