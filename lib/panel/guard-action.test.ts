import { headers } from "next/headers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { FRESH_SIGN_IN_SECONDS } from "@/lib/domain/panel-actions";
import { currentPerson } from "@/lib/panel/current-person";
import { guardOrigin, guardStaff, isFresh, requireFreshSignIn } from "@/lib/panel/guard-action";
import type { PersonSession } from "@/lib/services/people/person-session";

vi.mock("next/headers", () => ({ headers: vi.fn(), cookies: vi.fn() }));
vi.mock("@/lib/panel/current-person", () => ({ currentPerson: vi.fn() }));
vi.mock("@/lib/env", () => ({ env: () => ({ APP_URL: "https://service.example" }) }));

const STAFF = { id: "usr_1", email: "s@x.example", name: null, isStaff: true, hasTotp: true, hasPassword: true };

function signIn(user: Partial<PersonSession["user"]>, confirmedSecondsAgo = 0): void {
  vi.mocked(currentPerson).mockResolvedValue({
    sessionId: "uss_1",
    confirmedSecondsAgo,
    user: { ...STAFF, ...user },
  });
}

/** The code of the refusal; undefined where there is none. */
async function refusalOf(guard: () => unknown): Promise<string | undefined> {
  try {
    await guard();
    return undefined;
  } catch (error) {
    return (error as { failure: { code: string } }).failure.code;
  }
}

beforeEach(() => {
  vi.mocked(currentPerson).mockResolvedValue(null);
});

describe("an action of staff", () => {
  it("is for staff with a second factor alone", async () => {
    const ask = () => refusalOf(() => guardStaff("staff.accounts.set-plan"));
    expect(await ask()).toBe("SIGNED_OUT");
    signIn({ isStaff: false });
    expect(await ask()).toBe("NOT_FOUND");
    signIn({ hasTotp: false });
    expect(await ask()).toBe("NOT_FOUND");
    signIn({});
    expect(await ask()).toBeUndefined();
  });

  it("that gives power wants a sign-in of the last minutes", async () => {
    const ask = () => refusalOf(() => guardStaff("staff.accounts.grant-credits"));
    signIn({}, FRESH_SIGN_IN_SECONDS - 1);
    expect(await ask()).toBeUndefined();
    signIn({}, FRESH_SIGN_IN_SECONDS);
    expect(await ask()).toBe("CONFIRM_PASSWORD");
  });
});

describe("a fresh sign-in", () => {
  it("is wanted of people without a password too, who have none to confirm", async () => {
    const ask = (hasPassword: boolean, confirmedSecondsAgo: number, needsFreshSignIn?: true) =>
      refusalOf(() =>
        requireFreshSignIn(
          { ...(needsFreshSignIn && { needsFreshSignIn }) },
          { confirmedSecondsAgo, user: { ...STAFF, hasPassword } },
        ),
      );
    expect(await ask(false, FRESH_SIGN_IN_SECONDS, true)).toBe("VALIDATION_FAILED");
    expect(await ask(false, 0, true)).toBeUndefined();
    expect(await ask(true, FRESH_SIGN_IN_SECONDS)).toBeUndefined();
    expect([0, FRESH_SIGN_IN_SECONDS - 0.1, FRESH_SIGN_IN_SECONDS].map(isFresh)).toEqual([true, true, false]);
  });
});

describe("a call of an action", () => {
  it.each([
    ["https://service.example", undefined],
    ["https://inside.example:8080", undefined],
    ["https://proxy.example", undefined],
    ["http://service.example", "NOT_FOUND"],
    ["https://evil.example", "NOT_FOUND"],
    ["https://service.example.evil.example", "NOT_FOUND"],
    ["null", "NOT_FOUND"],
    [null, "NOT_FOUND"],
  ])("from the page of %s is refused with %s", async (origin, code) => {
    const sent = {
      host: "inside.example:8080",
      "x-forwarded-host": "proxy.example",
      ...(origin !== null && { origin }),
    };
    vi.mocked(headers).mockResolvedValue(new Headers(sent) as never);
    expect(await refusalOf(guardOrigin)).toBe(code);
  });
});
