import { expect, test } from "playwright/test";
import { seededRandom } from "@/bench/support/random";
import { runErasure } from "@/e2e/api/support/erasure/run-erasure";
import { finishErasure } from "@/lib/services/data-rights/erase-end-user";

/** The short form of `npm run bench -- erase`, without the minutes until the second pass. */
test("end users who are erased while they work leave no word behind, and take nothing of others along", async () => {
  const seed = Date.now() % 1_000_000;
  const result = await runErasure(seededRandom(seed), { accounts: 1, usersPerProject: 1, finish: finishErasure });
  expect(result.violations, `seed ${seed}`).toEqual([]);
  expect(result.rows * result.files).toBeGreaterThan(0);
});
