import { expect, test } from "playwright/test";
import { seededRandom } from "@/bench/support/random";
import { runTenancy } from "@/e2e/api/support/tenancy/run-tenancy";

/** The short form of `npm run bench -- tenancy`. */
test("random calls for what is somebody else's are answered as those for what nobody has", async () => {
  const seed = Date.now() % 1_000_000;
  const { violations, calls } = await runTenancy(seededRandom(seed), { accounts: 2, projects: 2, perKind: 3 });
  expect(violations, `seed ${seed}`).toEqual([]);
  expect(calls).toBeGreaterThan(200);
});
