import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { refreshOnceThere, refreshWhenThere } from "@/components/ui/refresh-when-there";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** The service as each next question finds it. */
function answers(...found: ("lost" | "away" | "there")[]) {
  const ask = vi.fn(async () => {
    const next = found.shift() ?? "there";
    if (next === "lost") throw new TypeError("Failed to fetch");
    return { ok: next === "there" };
  });
  vi.stubGlobal("fetch", ask);
  return ask;
}

it("draws a page anew once, as soon as the service answers and it is known that the page may be", async () => {
  const ask = answers("lost", "away", "there", "there");
  const refresh = vi.fn();
  const mayRefresh = vi.fn().mockResolvedValueOnce(null).mockResolvedValue(true);
  const done = refreshOnceThere({ refresh }, () => true, mayRefresh);
  await vi.runAllTimersAsync();
  await done;
  expect(refresh).toHaveBeenCalledTimes(1);
  expect(ask).toHaveBeenCalledTimes(4);
  // One that lives without its database would make a page that says so, in place of what is read.
  expect(ask).toHaveBeenCalledWith("/api/v1/health/ready", { cache: "no-store" });
});

it.each([
  { leaves: "before it was asked", looks: 0, isDrawn: false },
  { leaves: "while the service is asked", looks: 1, isDrawn: false },
  { leaves: "not at all", looks: 2, isDrawn: true },
])("draws nothing anew for a reader who goes on to something else $leaves: $isDrawn", async ({ looks, isDrawn }) => {
  const [refresh, later] = [vi.fn(), vi.fn()];
  let left = looks;
  answers("there");
  await refreshWhenThere({ refresh }, () => left-- > 0);
  expect(refresh).toHaveBeenCalledTimes(isDrawn ? 1 : 0);
  left = looks;
  answers("there");
  await refreshOnceThere(
    { refresh: later },
    () => left-- > 0,
    async () => true,
  );
  expect(later).toHaveBeenCalledTimes(isDrawn ? 1 : 0);
});

it.each(["somebody else is there", "nobody wants it any more"])("leaves it as it is when %s", async (why) => {
  answers("lost", "there");
  const refresh = vi.fn();
  let looks = 0;
  const isWanted = () => why === "somebody else is there" || ++looks < 2;
  const done = refreshOnceThere({ refresh }, isWanted, async () => false);
  await vi.runAllTimersAsync();
  await done;
  expect(refresh).not.toHaveBeenCalled();
});
