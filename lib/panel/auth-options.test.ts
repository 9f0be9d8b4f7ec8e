import { randomBytes } from "node:crypto";
import { cookies } from "next/headers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { signInWords } from "@/components/auth/sign-in-words";
import { useServiceDatabase } from "@/e2e/support/service-database";
import { newTestOwner, TEST_BROWSER } from "@/e2e/support/test-people";
import { db } from "@/lib/db/pool";
import { sealText } from "@/lib/domain/sealed-text";
import { env } from "@/lib/env";
import { authOptions, invitationOf, wayBack } from "@/lib/panel/auth-options";
import { panelCookie } from "@/lib/panel/cookies";
import { findPersonSession } from "@/lib/services/people/person-session";
import { signIn } from "@/lib/services/people/sign-in";

vi.mock("next/headers", () => ({ cookies: vi.fn(), headers: async () => new Headers() }));

useServiceDatabase({ LOG_LEVEL: "warn" });

afterEach(() => {
  vi.restoreAllMocks();
});

/** A browser with these cookies asks. */
function ask(jar: Record<string, string> = {}) {
  const get = (name: string) => (jar[name] === undefined ? undefined : { name, value: jar[name] });
  vi.mocked(cookies).mockResolvedValue({ get } as never);
}

/** What next-auth tells the browser: an error's words go into its address. */
async function answerTo(fields: object): Promise<string> {
  const [provider] = authOptions().providers;
  const { authorize } = (provider as unknown as { options: { authorize(fields: object): Promise<unknown> } }).options;
  return authorize(fields).then(
    () => "signed in",
    (error: Error) => error.message,
  );
}

describe("the sign-in with a password", () => {
  it.each([
    ["a NUL character", { email: "ann\u0000@example.test", password: "seven green bottles" }],
    ["half of a character", { email: "ann\ud800@example.test", password: "seven green bottles" }],
    ["a list", { email: ["ann@example.test"], password: "seven green bottles" }],
    ["too long a password", { email: "ann@example.test", password: "x".repeat(1_001) }],
    ["a wrong ticket", { ticket: "not\u0000one", code: "123456" }],
    ["nothing", {}],
  ])("says of %s no more than that it is wrong", async (_what, fields) => {
    ask();
    expect(await answerTo(fields)).toBe("wrong");
  });

  it("keeps the words of what nobody foresaw for the log", async () => {
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    vi.mocked(cookies).mockRejectedValue(new Error("something inside"));
    expect(await answerTo({ email: "ann@example.test", password: "seven green bottles" })).toBe("failed");
    expect(written.mock.calls.join()).toContain("something inside");
  });

  it("leads who has a second factor that no key opens any more to a recovery code", async () => {
    const person = await newTestOwner();
    const sealed = sealText("JBSWY3DPEHPK3PXP", randomBytes(32).toString("base64"));
    await db().query("UPDATE users SET totp_secret_encrypted = $2 WHERE id = $1", [person.userId, sealed]);
    ask();
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    expect(await answerTo({ ...person, code: "123456" })).toBe("codes-unread");
    expect(written.mock.calls.join()).toContain("ENCRYPTION_KEY is not the one that sealed this");
    expect(signInWords("codes-unread")).toContain("Use a recovery code");
  });
});

describe("the sign-in through another service", () => {
  const comeThrough = (profile: object, { id = "g-1", name = "Ann" as unknown } = {}) =>
    authOptions().callbacks?.signIn?.({
      user: { id: "1", name },
      account: { type: "oauth", provider: "google", providerAccountId: id },
      profile,
    } as never);
  const cookieName = () => panelCookie("return").name;

  it("goes on to where the person was going when something is still missing", async () => {
    ask({ [cookieName()]: `${env().APP_URL}/panel/settings/team?tab=1` });
    expect(await comeThrough({ email: "ann@example.test" })).toBe(
      "/panel/sign-in?error=no-account&next=%2Fpanel%2Fsettings%2Fteam%3Ftab%3D1",
    );
  });

  it("takes who goes on from an invitation for one who is invited, and nobody else", async () => {
    const email = "new.to.us@acme.example";
    const profile = { email, email_verified: true };
    ask({ [cookieName()]: `${env().APP_URL}/panel/invitation/${"x".repeat(43)}` });
    expect(await comeThrough(profile, { id: "g-invited" })).toBe(
      `/panel/sign-in?error=not-invited&next=%2Fpanel%2Finvitation%2F${"x".repeat(43)}`,
    );
    expect((await db().query("SELECT 1 FROM users WHERE email = $1", [email])).rowCount).toBe(0);
    expect(["/panel/usage", "/panel/invitation/", null].map(invitationOf)).toEqual([null, null, null]);
    ask({ [cookieName()]: `${env().APP_URL}/panel/usage?next=/panel/invitation/x` });
    expect(await comeThrough(profile, { id: "g-invited" })).toBe(true);
  });

  it.each(["//evil.example/panel", "/api/v1/health", ""])("goes on to no place but the panel's: %j", async (path) => {
    ask(path === "" ? {} : { [cookieName()]: env().APP_URL + path });
    expect(await comeThrough({ email: "ann@example.test" })).toBe("/panel/sign-in?error=no-account");
  });

  it("says of addresses that it was not told that it was not, also in the log, and lets in whoever it knows", async () => {
    ask();
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const untold = { addressesRefused: 403 };
    expect(await comeThrough(untold, { id: "h-untold" })).toBe("/panel/sign-in?error=addresses-untold");
    expect(written.mock.calls.join()).toContain("GitHub answered 403");
    expect(await comeThrough({ email: "told@acme.example", email_verified: true }, { id: "h-untold" })).toBe(true);
    expect(await comeThrough(untold, { id: "h-untold" })).toBe(true);
  });

  it("speaks of no password to who is shut out", async () => {
    ask();
    const profile = { email: "left@acme.example", email_verified: true };
    expect(await comeThrough(profile, { id: "g-left" })).toBe(true);
    await db().query("UPDATE users SET disabled_at = now() WHERE email = $1", [profile.email]);
    expect(await comeThrough(profile, { id: "g-left" })).toBe("/panel/sign-in?error=AccessDenied");
    expect(signInWords("AccessDenied")).not.toContain("password");
  });

  it("says in the log why it failed, and nothing of what the other service answered", () => {
    const written = vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const error = Object.assign(new Error("invalid_client (The client secret is wrong.)"), { response: "token-77" });
    const { logger } = authOptions();
    logger?.error?.("OAUTH_CALLBACK_ERROR", { error, providerId: "google" });
    logger?.error?.("OAUTH_CALLBACK_ERROR", new Error("x".repeat(10_000)));
    logger?.error?.("OAUTH_CALLBACK_ERROR", { error: new Error("access_denied (turned back)"), providerId: "google" });
    const lines = written.mock.calls.join();
    expect(lines).toContain("invalid_client");
    expect(lines).not.toContain("token-77");
    expect(lines, "who turned back is no warning").not.toContain("access_denied");
    expect(lines.length).toBeLessThan(1_000);
  });

  it.each([
    ["no text", 7],
    ["half of a character", "Ann \ud800"],
    ["a NUL character", "Ann\u0000"],
    ["blanks", "  "],
    ["what nobody sees", "\u3164"],
    ["lines", "Ann\r\nBlue"],
  ])("opens an account without a name where the other service gives %s for one", async (what, name) => {
    ask();
    const email = `${what.replaceAll(" ", ".").toLowerCase()}@acme.example`;
    expect(await comeThrough({ email, email_verified: true }, { id: what, name })).toBe(true);
    const { rows } = await db().query(
      `SELECT u.name, a.company_name FROM users u JOIN members m ON m.user_id = u.id JOIN accounts a ON a.id = m.account_id
       WHERE u.email = $1`,
      [email],
    );
    expect(rows).toEqual([{ name: null, company_name: "acme.example" }]);
  });

  it.each([
    "ann",
    "ann@acme.example\r\nBcc: eve@evil.example",
    "ann@acme.example,eve@evil.example",
    "a\u0000nn@acme.example",
    `${"a".repeat(250)}@acme.example`,
  ])("opens no account for what is no address, whatever the other service calls it: %j", async (email) => {
    ask();
    const before = await db().query("SELECT count(*) FROM users");
    const place = await comeThrough({ email, email_verified: true }, { id: "g-none" });
    expect(place).toBe("/panel/sign-in?error=no-account");
    expect((await db().query("SELECT count(*) FROM users")).rows).toEqual(before.rows);
  });

  it("goes on there after the code of the second factor, too", async () => {
    const profile = { email: "ann@example.test", email_verified: true };
    ask({ [cookieName()]: `${env().APP_URL}/panel/usage` });
    expect(await comeThrough(profile)).toBe(true);
    const secret = sealText("JBSWY3DPEHPK3PXP", env().ENCRYPTION_KEY ?? "");
    await db().query("UPDATE users SET totp_secret_encrypted = $1 WHERE email = $2", [secret, profile.email]);
    expect(await comeThrough(profile)).toMatch(/^\/panel\/sign-in\?ticket=[\w-]+&next=%2Fpanel%2Fusage$/);
  });
});

describe("signing out", () => {
  it("ends the session itself, so that a copy of its cookie opens nothing", async () => {
    const [left, kept] = [await signInAgain(), await signInAgain()];
    const { jwt, events } = authOptions();
    const token = await jwt?.decode?.({ token: left, secret: "" });
    expect(token).toMatchObject({ sessionToken: left });
    await events?.signOut?.({ token } as never);
    expect(await findPersonSession(left)).toBeNull();
    expect(await findPersonSession(kept)).not.toBeNull();
    expect(await jwt?.decode?.({ token: left, secret: "" })).toBeNull();
    await events?.signOut?.({ token: null } as never);
  });
});

/** The token of a new session of a new person. */
async function signInAgain(): Promise<string> {
  const result = await signIn(await newTestOwner(), TEST_BROWSER);
  if (result.outcome !== "signed-in") throw new Error(result.outcome);
  return result.token;
}

describe("the way back after signing in or out", () => {
  const BASE = "https://service.example";

  it.each([
    ["/panel/usage?tab=1", `${BASE}/panel/usage?tab=1`],
    [`${BASE}/panel`, `${BASE}/panel`],
    ["https://service.example.evil.example/panel", BASE],
    ["https://service.example@evil.example/panel", BASE],
    ["https://service.example:8443/panel", BASE],
    ["http://service.example/panel", BASE],
    ["//evil.example/panel", BASE],
    ["\\\\evil.example/panel", BASE],
    ["javascript:alert(1)", BASE],
    ["https://", BASE],
    [["/panel"], BASE],
    [undefined, BASE],
  ])("leads from %j to %s", (url, place) => {
    expect(wayBack(url, BASE)).toBe(place);
  });
});
