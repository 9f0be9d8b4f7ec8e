import { expect, it } from "vitest";
import { COUNTED } from "@/components/end-users/data-request-list";
import { ACCOUNT_EXPORT } from "@/lib/services/data-rights/account-export-tables";
import { PERSONAL_DATA } from "@/lib/services/data-rights/personal-data";

it("receipts have words for each table of which an export or an erasure counts rows", () => {
  const ofEndUsers = PERSONAL_DATA.filter(
    ({ ofEndUser = [], exportWithout, erasure }) =>
      ofEndUser.length > 0 && (exportWithout ?? typeof erasure === "object"),
  );
  const counted = [...ACCOUNT_EXPORT, ...ofEndUsers].map(({ table }) => table);
  expect(counted.filter((table) => COUNTED[table] === undefined)).toEqual([]);
});
