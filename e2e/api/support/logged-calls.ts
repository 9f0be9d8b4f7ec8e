import { expect } from "playwright/test";
import type { TestAccount } from "@/e2e/support/test-account";
import type { LoggedCall } from "@/lib/contracts/call-log";
import { listCalls } from "@/lib/services/call-log/list-calls";

/** The account's logged calls, oldest first, once there are so many; fails when there are more. */
export async function loggedCalls({ accountId }: Pick<TestAccount, "accountId">, count: number): Promise<LoggedCall[]> {
  let calls: LoggedCall[] = [];
  const read = async () => {
    calls = (await listCalls({ accountId }, { limit: 1_000 })).data;
    return calls.length;
  };
  await expect.poll(read, { message: "rows of the call log" }).toBe(count);
  return calls.toReversed();
}
