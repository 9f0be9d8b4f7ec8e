import { expect, type Page } from "playwright/test";
import { test } from "@/e2e/support/browser-test";
import { expectWellMade } from "@/e2e/support/page-look";
import { THEMES } from "@/e2e/support/screenshots";
import { suite } from "@/e2e/support/suite";
import { ERROR_CODES } from "@/lib/domain/errors";

test.describe("home page", () => {
  test("says what it is, that it runs, and with what model", async ({ page }) => {
    await page.goto("/");
    await expect(page).toHaveTitle("AI Processing Service");
    await expect(page.getByRole("heading", { level: 1 })).toContainText("Send a message or a file");
    const status = page.getByRole("region", { name: "Running" });
    await expect(status).toContainText("v1.0.0");
    await expect(status).toContainText("Databaseok");
    await expect(status).toContainText("gpt-4.1-mini");
    await expect(status).toContainText("/api/v1");
  });

  test("copies exactly what is shown, in every language", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto("/");
    for (const language of ["curl", "TypeScript", "Python"]) {
      await page.getByRole("tab", { name: language }).click();
      const blocks = page.getByRole("tabpanel").getByRole("figure");
      await expect(blocks).toHaveCount(4);
      for (const block of await blocks.all()) {
        await block.getByRole("button", { name: /^Copy the/ }).click();
        const shown = await block.locator("pre").textContent();
        await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
      }
    }
  });

  test("tells screen readers what was copied", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto("/");
    // Said for two seconds, so it is looked for from before on.
    const said = page.locator("[aria-live=polite]").filter({ hasText: "Copied: the chat command" });
    await Promise.all([
      said.waitFor({ state: "attached" }),
      page.getByRole("button", { name: "Copy the chat command" }).click(),
    ]);
  });

  test("copies where the browser offers no clipboard, too", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.addInitScript(() => Object.defineProperty(Navigator.prototype, "clipboard", { get: () => undefined }));
    await page.goto("/");
    await Promise.all([
      page.getByText("Copied", { exact: true }).waitFor(),
      page.getByRole("button", { name: "Copy the address of the API" }).click(),
    ]);
    const reader = await context.newPage();
    await reader.goto("/docs/errors");
    await reader.evaluate(() => {
      const field = document.createElement("textarea");
      document.body.append(field);
      field.focus();
    });
    await reader.keyboard.press("Control+V");
    await expect(reader.locator("textarea")).toHaveValue(/^http.+\/api\/v1$/);
  });

  test("names the key's place and never a key", async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("tabpanel")).toContainText("demo-credentials.json");
    await expect(page.getByRole("tabpanel")).toContainText("$API_KEY");
    expect(await page.content()).not.toMatch(/bld_[0-9A-Za-z]{8,}/);
  });
});

test.describe("keyboard", () => {
  test("skips to the content", async ({ page }) => {
    await page.goto("/");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "Make the first call" })).toBeFocused();
  });

  test("changes the language with arrow keys and copies with Enter", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto("/");
    // Keys that come before the page is alive move nothing.
    await expect(async () => {
      await page.getByRole("tab", { name: "curl" }).press("ArrowRight");
      expect(await page.getByRole("tab", { name: "TypeScript" }).getAttribute("aria-selected")).toBe("true");
    }).toPass();
    await expect(page.getByRole("tabpanel")).toContainText("quick-start.mts");
    const copy = page.getByRole("button", { name: "Copy the set-up in TypeScript" });
    for (let presses = 0; presses < 6 && !(await copy.evaluate((el) => el === document.activeElement)); presses++) {
      await page.keyboard.press("Tab");
    }
    await expect(copy).toBeFocused();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain("X-API-Key");
  });
});

test.describe("theme", () => {
  for (const theme of THEMES) {
    test(`follows a ${theme} system from the first frame`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: theme });
      await recordThemes(page);
      await page.goto("/");
      await expect(page.getByRole("region", { name: "Running" })).toBeVisible();
      expect(await drawnThemes(page)).toEqual([theme]);
    });
  }

  test("remembers the reader's choice against the system, from the first frame", async ({ page }) => {
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto("/");
    await page.getByRole("radio", { name: "Dark theme" }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
    await recordThemes(page);
    await page.reload();
    await expect(page.getByRole("radio", { name: "Dark theme" })).toBeChecked();
    expect(await drawnThemes(page)).toEqual(["dark"]);
  });

  test("goes back to the system when told so, and follows it", async ({ page }) => {
    await page.emulateMedia({ colorScheme: "light" });
    await page.goto("/");
    await page.getByRole("radio", { name: "Dark theme" }).click();
    await page.getByRole("radio", { name: "Theme of the system" }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
    await page.emulateMedia({ colorScheme: "dark" });
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  });
});

test.describe("error list", () => {
  test("has an anchor for every code, as docUrl promises", async ({ page }) => {
    await page.goto("/docs/errors");
    for (const code of Object.keys(ERROR_CODES)) {
      await expect(page.locator(`[id="${code}"]`)).toContainText(code);
    }
    const ids = await page.locator("[id]").evaluateAll((elements) => elements.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("shows the code that a docUrl leads to", async ({ page }) => {
    await page.goto("/docs/errors#RATE_LIMITED");
    await expect(page.locator("[id=RATE_LIMITED]")).toBeInViewport();
    await expect(page.locator("[id=RATE_LIMITED]")).toContainText("Retry-After");
  });
});

test.describe("every public page", () => {
  const PAGES = [
    { name: "home", path: "/" },
    { name: "errors", path: "/docs/errors" },
    { name: "not-found", path: "/no/such/page" },
  ];

  for (const { name, path } of PAGES) {
    test(`${name} is well made`, async ({ page, faults }) => {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectWellMade(page, name);
      // The browser itself reports the status of a page that is not there.
      if (name === "not-found") faults.errors = faults.errors.filter((text) => !text.includes("404"));
    });
  }

  test("has its icon also where browsers look by themselves", async ({ request }) => {
    const response = await request.get("/favicon.ico");
    expect(response.status()).toBe(200);
    expect(response.headers()["content-type"]).toContain("image/svg+xml");
  });

  test("has an icon for the home screens of phones, which draw no SVG", async ({ page, request }) => {
    await page.goto("/");
    const icon = page.locator("link[rel=apple-touch-icon]");
    const response = await request.get((await icon.getAttribute("href")) ?? "");
    expect([response.status(), response.headers()["content-type"]]).toEqual([200, "image/png"]);
  });

  test("carries headers that forbid framing, sniffing and foreign content", async ({ request }) => {
    // Beside the addresses of files, of the API and of assets are pages that say so.
    for (const path of [
      ...PAGES.map(({ path }) => path),
      "/files/a/b",
      "/v10",
      "/panel/sessions/a/files/b/c",
      "/api/auth/verify-request",
      "/api/auth",
      "/_next",
      "/_next/nowhere",
    ]) {
      const headers = (await request.get(path)).headers();
      expect(headers["content-security-policy"]).toContain("default-src 'self'");
      expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("strict-origin-when-cross-origin");
      expect(headers["permissions-policy"]).toContain("camera=()");
      expect(headers["x-powered-by"]).toBeUndefined();
    }
  });

  for (const page of ["signin", "signout", "error", "verify-request"]) {
    test(`leads to the sign-in where next-auth has a page of its own: ${page}`, async () => {
      const response = await fetch(`${suite.url}/api/auth/${page}`, { redirect: "manual" });
      expect(response.status).toBe(302);
      expect(new URL(response.headers.get("location") ?? "", suite.url).pathname).toBe("/panel/sign-in");
    });
  }

  test("answers addresses that cannot be decoded with the page that says there is nothing", async () => {
    const statuses = {
      "/docs/reference/%ff": 404,
      "/panel/invitation/%": 200,
      // It asks who is there first.
      "/staff/accounts/%ED%A0%80": 307,
      "/%ff?q=%ff": 404,
    };
    for (const [path, status] of Object.entries(statuses)) {
      const response = await fetch(suite.url + path, { redirect: "manual" });
      expect(response.status, path).toBe(status);
      expect(response.headers.get("content-type"), path).toContain("text/html");
      expect(response.headers.get("x-frame-options"), path).toBe("DENY");
    }
  });

  test("lets only scripts run that carry the nonce of this one answer", async ({ page, request }) => {
    const nonces = new Set<string>();
    for (const { path } of [...PAGES, ...PAGES]) {
      const response = await request.get(path);
      const policy = response.headers()["content-security-policy"] ?? "";
      const nonce = /script-src 'self' 'nonce-([\w+/=]{24})'/.exec(policy)?.[1] ?? "";
      expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/);
      nonces.add(nonce);
      const scripts = (await response.text()).match(/<script\b[^>]*>/g) ?? [];
      expect(scripts.length).toBeGreaterThan(0);
      for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
    }
    expect(nonces.size).toBe(PAGES.length * 2);
    await page.goto("/");
    await page.getByRole("tab", { name: "Python" }).click();
    await expect(page.getByRole("tabpanel")).toContainText("quick_start.py");
  });
});

/** Notes the theme of each frame from the very first, so that a flash cannot hide. */
async function recordThemes(page: Page) {
  await page.addInitScript(() => {
    const themes: string[] = [];
    Object.assign(window, { themes });
    const note = () => {
      if (document.body) themes.push(document.documentElement.dataset.theme ?? "none");
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
}

/** What `recordThemes` saw, once a frame was drawn: a busy machine may have a page alive before it. */
async function drawnThemes(page: Page): Promise<string[]> {
  const read = () => page.evaluate(() => [...new Set((window as unknown as { themes: string[] }).themes)]);
  await expect.poll(read).not.toEqual([]);
  return read();
}
