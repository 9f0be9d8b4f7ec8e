import { expect, test } from "playwright/test";
import { seededRandom } from "@/bench/support/random";
import { runPanelTrust } from "@/e2e/support/run-panel-trust";

/** The short form of what `npm run bench -- tenancy` does to the panel. */
test("pages and actions, called at random with another account's ids, answer as for ids that nobody has", async () => {
  const seed = Date.now() % 1_000_000;
  const { violations, asked, foreignActions } = await runPanelTrust(seededRandom(seed), 0.15);
  expect(violations, `seed ${seed}`).toEqual([]);
  expect(asked * foreignActions).toBeGreaterThan(0);
});
