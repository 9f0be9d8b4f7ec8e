import { getProviders, type SignInResponse, signIn } from "next-auth/react";
import { expect, it, vi } from "vitest";
import { signInWithPassword } from "@/components/auth/sign-in-with-password";

vi.mock("next-auth/react", () => ({ getProviders: vi.fn(async () => ({})), signIn: vi.fn() }));

const BASE = "https://service.example";
const answer = (more: Partial<SignInResponse>) => ({ error: null, status: 200, ok: true, url: null, ...more });

it.each<[outcome: string | null, what: string, answered: SignInResponse]>([
  [null, "a session", answer({ url: `${BASE}/panel` })],
  ["failed", "a token of another AUTH_SECRET", answer({ url: `${BASE}/api/auth/signin?csrf=true` })],
  ["code-required", "a person with a second factor", answer({ ok: false, status: 401, error: "code-required" })],
])("gives %j for %s", async (outcome, _what, answered) => {
  vi.mocked(signIn).mockResolvedValue(answered as never);
  expect(await signInWithPassword({ email: "ann@example.test", password: "x" })).toBe(outcome);
});

it("leaves the form alone where nothing answers", async () => {
  vi.mocked(getProviders).mockResolvedValueOnce(null);
  expect(await signInWithPassword({})).toBe("unreached");
});
