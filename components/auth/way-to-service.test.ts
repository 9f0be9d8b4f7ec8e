import { getCsrfToken } from "next-auth/react";
import { afterEach, expect, it, vi } from "vitest";
import { wayToService } from "@/components/auth/way-to-service";

vi.mock("next-auth/react", () => ({ getCsrfToken: vi.fn(async () => "token") }));

const BASE = "https://service.example";

afterEach(() => {
  vi.unstubAllGlobals();
});

it.each<[result: object, what: string, answer: () => Response]>([
  [{ href: "https://github.com/login" }, "the service", () => Response.json({ url: "https://github.com/login" })],
  [{ outcome: "failed" }, "another AUTH_SECRET", () => Response.json({ url: `${BASE}/api/auth/signin?csrf=true` })],
  [{ outcome: "failed" }, "no address", () => Response.json({}, { status: 503 })],
  [{ outcome: "unreached" }, "a proxy's page", () => new Response("<h1>Bad gateway</h1>", { status: 502 })],
  [{ outcome: "unreached" }, "nobody", () => Response.error()],
])("gives %j for an answer of %s", async (result, _what, answer) => {
  const asked = vi.fn<typeof fetch>(async () => answer());
  vi.stubGlobal("fetch", asked);
  expect(await wayToService("github", "/panel/usage")).toEqual(result);
  const [path, init] = asked.mock.calls[0] ?? [];
  expect([path, String(init?.body)]).toEqual([
    "/api/auth/signin/github",
    "csrfToken=token&callbackUrl=%2Fpanel%2Fusage&json=true",
  ]);
});

it("stays where nothing answers", async () => {
  vi.mocked(getCsrfToken).mockResolvedValueOnce(undefined);
  expect(await wayToService("github", "/panel")).toEqual({ outcome: "unreached" });
});
