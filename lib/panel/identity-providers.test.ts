import dns from "node:dns";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { useTestSettings } from "@/e2e/support/test-settings";
import { confirmedEmail, identityProviders } from "@/lib/panel/identity-providers";

beforeAll(() => {
  useTestSettings("postgres://localhost/none", {
    GITHUB_CLIENT_ID: "id",
    GITHUB_CLIENT_SECRET: "secret",
    GOOGLE_CLIENT_ID: "id",
    GOOGLE_CLIENT_SECRET: "secret",
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** What is known of somebody who comes through GitHub, whose list of addresses answers like this. */
async function profileWith(
  answer: typeof fetch,
  shown: unknown = { id: 7, email: "shown@acme.example" },
  tokens: object = { access_token: "token" },
): Promise<unknown> {
  vi.stubGlobal("fetch", answer);
  const provider = identityProviders().find(({ id }) => id === "github") as { userinfo?: unknown };
  const { request } = provider.userinfo as { request(context: object): Promise<unknown> };
  return request({
    client: { userinfo: async () => shown },
    tokens,
  });
}

describe("GitHub's look-up of addresses", () => {
  it("takes the confirmed primary one alone, whatever the profile shows", async () => {
    const list = [
      { email: "old@acme.example", primary: false, verified: true },
      { email: "ann@acme.example", primary: true, verified: true },
    ];
    expect(await profileWith(async () => Response.json(list))).toMatchObject({ email: "ann@acme.example" });
    const open = [{ email: "ann@acme.example", primary: true, verified: false }];
    expect(await profileWith(async () => Response.json(open))).toMatchObject({ email: undefined });
  });

  it("tells where it was refused from where there is none", async () => {
    const refused = profileWith(async () => new Response(null, { status: 503 }));
    expect(await refused).toMatchObject({ email: undefined, addressesRefused: 503 });
    expect(await profileWith(async () => Response.json([]))).toMatchObject({ addressesRefused: undefined });
  });

  it.each([
    ["a person without an id", { message: "Bad credentials" }, []],
    ["no person", null, []],
    ["addresses that are no list", { id: 7 }, { message: "Not Found" }],
    ["an address that is none", { id: 7 }, [{ email: 5, primary: true, verified: true }]],
    ["a word in place of yes or no", { id: 7 }, [{ email: "ann@acme.example", primary: true, verified: "false" }]],
  ])("fails, so that the person is told of it, when GitHub answers with %s", async (_what, shown, list) => {
    await expect(profileWith(async () => Response.json(list), shown)).rejects.toThrow(
      /^GitHub's answer cannot be read: .+$/,
    );
  });

  it("is not begun without a token: GitHub's words tell why there is none, and reach the log", async () => {
    const asked = vi.fn<typeof fetch>(async () => Response.json([]));
    const refused = { error: "incorrect_client_credentials", error_description: "The client_secret is incorrect." };
    await expect(profileWith(asked, undefined, refused)).rejects.toThrow(
      "incorrect_client_credentials (The client_secret is incorrect.)",
    );
    await expect(profileWith(asked, undefined, {})).rejects.toThrow("GitHub's answer cannot be read");
    expect(asked).not.toHaveBeenCalled();
  });

  it("is given up when no answer comes in time", async () => {
    const late = vi.spyOn(AbortSignal, "timeout").mockReturnValue(AbortSignal.abort(new Error("too late")));
    const hanging: typeof fetch = (_url, init) =>
      new Promise((_resolve, reject) => {
        if (init?.signal?.aborted) reject(init.signal.reason);
      });
    await expect(profileWith(hanging)).rejects.toThrow("too late");
    expect(late).toHaveBeenCalledWith(3_500);
  });
});

describe("an address that another service tells", () => {
  const email = "ann@acme.example";

  it("counts where the service has confirmed it, and says so in so many words", () => {
    expect(confirmedEmail("google", { email, email_verified: true })).toBe(email);
    for (const email_verified of [false, undefined, null, "true", 1])
      expect(confirmedEmail("google", { email, email_verified }), String(email_verified)).toBeNull();
  });

  it("is none where there is none", () => {
    expect(confirmedEmail("google", { email: "", email_verified: true })).toBeNull();
    expect(confirmedEmail("github", {})).toBeNull();
    expect(confirmedEmail("github", undefined)).toBeNull();
    expect(confirmedEmail("github", { email })).toBe(email);
  });
});

it("looks a service's name up once at a time, however many are led there: the process has two threads for look-ups", async () => {
  // next-auth's own way to a service; it exports none.
  const { openidClient } = createRequire(import.meta.url)(resolve("node_modules/next-auth/core/lib/oauth/client.js"));
  const google = identityProviders()
    .map(({ options, ...provider }) => ({ ...provider, ...options }))
    .find(({ id }) => id === "google");
  const asked: { name: string; answer: (error: Error) => void }[] = [];
  vi.spyOn(dns, "lookup").mockImplementation(((name: string, _options: unknown, answer: (error: Error) => void) =>
    asked.push({ name, answer })) as unknown as typeof dns.lookup);
  const presses = Promise.allSettled(Array.from({ length: 10 }, () => openidClient({ provider: google })));
  await vi.waitFor(() => expect(asked).not.toEqual([]));
  await new Promise(setImmediate);
  expect(asked.map(({ name }) => name)).toEqual(["accounts.google.com"]);
  asked[0]?.answer(new Error("getaddrinfo EAI_AGAIN accounts.google.com"));
  const said = (await presses).map((press) => press.status === "rejected" && press.reason.message);
  expect(said).toEqual(Array(10).fill("getaddrinfo EAI_AGAIN accounts.google.com"));
});
