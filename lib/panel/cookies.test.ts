import { beforeAll, expect, it } from "vitest";
import { useTestSettings } from "@/e2e/support/test-settings";
import { panelCookie, projectCookie, sessionCookie } from "@/lib/panel/cookies";

beforeAll(() => useTestSettings("postgres://localhost/none", { APP_URL: "https://service.example" }));

it("keeps the panel's cookies from scripts, other sites, other hosts and connections without TLS where the service has TLS", () => {
  const options = { httpOnly: true, sameSite: "lax", path: "/", secure: true };
  expect(sessionCookie()).toEqual({ name: "__Host-panel.person", options });
  expect(projectCookie()).toEqual({ name: "__Host-panel.project", options });
  expect(panelCookie("csrf")).toEqual({ name: "__Host-panel.csrf", options });
});
