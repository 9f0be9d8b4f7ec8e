import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import { AccountRequestQueue } from "@/components/staff/account-request-queue";
import type { AccountRequestRecord } from "@/lib/contracts/account-requests";

vi.mock("next/navigation", () => ({ useRouter: () => ({}), usePathname: () => "/staff/verifications" }));

const request = (number: number): AccountRequestRecord => ({
  id: `arq_${number}`,
  accountId: `acc_${number}`,
  companyName: `Company ${number}`,
  kind: "credits",
  credits: 500,
  planId: null,
  note: null,
  state: "open",
  askedBy: null,
  answer: null,
  createdAt: "2026-11-27T00:00:00.000Z",
  answeredAt: null,
});

const shown = (count: number) =>
  renderToStaticMarkup(
    <AccountRequestQueue
      plans={{}}
      decline={async () => ({ ok: true, data: null })}
      requests={Array.from({ length: count }, (_, index) => request(index + 1))}
    />,
  );

describe("what companies ask for, for staff", () => {
  it("is in sight where there is little", () => {
    expect(shown(5)).not.toContain("<details");
  });

  it("is all there where there is much, with what waits longest in sight", () => {
    const [inSight, folded] = shown(7).split("<details");
    expect(inSight).toContain("Company 5");
    expect(inSight).not.toContain("Company 6");
    expect(folded).toContain("Show the other 2");
    expect(folded).toContain("Company 6");
    expect(folded).toContain("Company 7");
  });
});
