import { expect, it } from "vitest";
import { LARGE_BODY_BYTES, MAX_LARGE_BODIES, takeLargeBody } from "@/lib/http/large-bodies";

const tick = () => new Promise((resolve) => setImmediate(resolve));

it("lets a few large bodies be worked on at a time, each when one before it is answered, and all smaller ones at once", async () => {
  const begun: (() => void)[] = [];
  const take = async (bytes: number) => void begun.push(await takeLargeBody(bytes, "acc_one"));
  const all = Array.from({ length: MAX_LARGE_BODIES + 1 }, () => take(LARGE_BODY_BYTES + 1));
  await tick();
  expect(begun).toHaveLength(MAX_LARGE_BODIES);
  await Promise.all(Array.from({ length: 20 }, () => takeLargeBody(LARGE_BODY_BYTES, "acc_one")));
  begun.shift()?.();
  await Promise.all(all);
  expect(begun).toHaveLength(MAX_LARGE_BODIES);
  for (const giveBack of begun) giveBack();
});
