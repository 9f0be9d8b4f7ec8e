import { expect, it } from "vitest";
import { seedRegistration } from "@/e2e/support/delivery-seeds";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { addTestProject, createTestAccount } from "@/e2e/support/test-account";
import { listAccountWebhooks } from "@/lib/services/staff/list-account-webhooks";

useServiceDatabase();

it("an account's receivers are told to staff, those that nothing is sent to first, without what may be secret of them", async () => {
  const account = await createTestAccount();
  const second = await addTestProject(account, "Second");
  const seed = (of: typeof account, status: string) =>
    seedRegistration({
      ...{ accountId: of.accountId, projectId: of.projectId, status },
      url: `https://${status}.example/hook-secret?token=url-secret`,
      secret: "whsec_seeded",
    });
  await seed(account, "failed");
  await seed(account, "inactive");
  await seed(second, "active");
  await seed(await createTestAccount(), "failed");
  const webhooks = await listAccountWebhooks(account.accountId);
  expect(webhooks.map(({ host, status }) => [host, status])).toEqual([
    ["failed.example", "failed"],
    ["inactive.example", "inactive"],
    ["active.example", "active"],
  ]);
  expect(webhooks[2]).toMatchObject({ projectName: "Second", events: ["completion"], lastDeliveryAt: null });
  expect(JSON.stringify(webhooks)).not.toContain("secret");
});
