import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { DataRequestList } from "@/components/end-users/data-request-list";
import type { DataRequest } from "@/lib/contracts/end-users";

const DONE: DataRequest = {
  id: "drq_1",
  kind: "export",
  state: "completed",
  endUserId: "customer-42",
  counts: {},
  createdAt: "2026-01-01T10:00:00.000Z",
  completedAt: "2026-01-01T10:01:00.000Z",
  download: null,
};
const draw = (request: Partial<DataRequest>) =>
  renderToStaticMarkup(<DataRequestList downloadHref={(id) => `/x/${id}`} requests={[{ ...DONE, ...request }]} />);

describe("the receipt of an export", () => {
  it("says where the file has gone when it is kept no longer", () => {
    expect(draw({})).toContain("Its file is no longer kept");
  });

  it.each<Partial<DataRequest>>([
    { state: "running", completedAt: null },
    { state: "failed" },
    { kind: "erase" },
    { download: { sizeBytes: 10, expiresAt: "2026-01-08T10:01:00.000Z" } },
  ])("says nothing of it for %j", (request) => {
    expect(draw(request)).not.toContain("Its file is no longer kept");
  });
});
