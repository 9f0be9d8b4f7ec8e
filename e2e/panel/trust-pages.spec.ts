import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { addressOf, type FilledAccount, filledAccount } from "@/e2e/support/filled-account";
import { cookieOf, type PanelAccount, panelAccount, type TestPerson } from "@/e2e/support/panel-browser";
import { type Exposed, type ExposedPage, readPages, readRoutes } from "@/e2e/support/panel-source";
import { suite } from "@/e2e/support/suite";
import { castOf, isAllowed, isSignedIn, type TrustCast, VISITORS, type Visitor } from "@/e2e/support/trust-cast";

/** Every page and download of the panel against everybody who may ask for it, over HTTP. */

const PAGES = readPages().filter(({ audience }) => audience === "panel" || audience === "staff");
const ROUTES = readRoutes();
/** Nothing else in the world says this. */
const CANARY = `canary-${randomUUID()}`;
/** The heading of both not-found pages; it is part of other pages' data too, so the mark of the outcome counts as well. */
const NOT_FOUND = /<h1[^>]*>(?:Not found|This page does not exist)/;
const NOT_FOUND_MARK = "NEXT_HTTP_ERROR_FALLBACK;404";
const REDIRECT_MARK = /NEXT_REDIRECT;(?:replace|push);([^;]+);/;

/** Pages that only lead on, and to where. */
const LEADS_ON: Record<string, string> = {
  "/staff": "/staff/verifications",
  "/panel/api-b2b/webhooks/deliveries/[id]": "/panel/api-b2b/webhooks?",
};

let filled: FilledAccount;
let cast: TrustCast;
let stranger: TestPerson;
let other: PanelAccount;

test.beforeAll(async () => {
  filled = await filledAccount(CANARY);
  cast = await castOf(filled);
  other = await panelAccount();
  stranger = await other.addPerson("owner");
});

test.describe("pages", () => {
  test("are all found", () => {
    expect(PAGES.length).toBeGreaterThan(20);
    expect(ROUTES.length).toBeGreaterThan(3);
  });

  for (const visitor of VISITORS) {
    test(`answer ${visitor} as the table says`, async () => {
      const outcomes = await outcomesOf(PAGES, async ({ path }) => {
        const outcome = await visit(addressOf(filled, path), cast.people[visitor]);
        return outcome.startsWith(LEADS_ON[path] ?? "shown") ? "shown" : outcome;
      });
      expect(outcomes).toEqual(Object.fromEntries(PAGES.map((page) => [page.path, expectedOf(visitor, page)])));
    });
  }

  test("of staff have status 404 for everybody else, and nothing of a shell around them", async () => {
    const staffPages = PAGES.filter(({ audience }) => audience === "staff");
    for (const visitor of VISITORS.filter((each) => !each.startsWith("staff"))) {
      for (const { path } of staffPages) {
        const response = await ask(addressOf(filled, path), cast.people[visitor]);
        expect([visitor, path, response.status]).toEqual([visitor, path, 404]);
        const text = await response.text();
        expect(text).not.toContain("/staff/verifications");
        expect(text).not.toContain(CANARY);
      }
    }
  });

  test("show another company nothing, also when its browser claims the project", async () => {
    for (const { path } of PAGES) {
      const address = addressOf(filled, path);
      const headers = { Cookie: `${cookieOf(stranger).Cookie}; panel.project=${filled.projectId}` };
      const response = await fetch(new URL(address, suite.url), { headers, redirect: "manual" });
      const text = await response.text();
      expect([path, text.includes(CANARY), text.includes(filled.projectId)]).toEqual([path, false, false]);
      if (!path.includes("[") || LEADS_ON[path]) continue;
      expect([path, outcomeOf(text), response.status]).toEqual([path, "not found", 404]);
    }
  });

  test("of things that are not there have status 404", async () => {
    for (const { path, audience } of PAGES.filter((page) => page.path.includes("[") && !LEADS_ON[page.path])) {
      const address = path.replaceAll(/\[[^\]]+\]/g, "missing");
      const { status } = await ask(address, cast.people[audience === "staff" ? "staff" : "owner"]);
      expect([path, status]).toEqual([path, 404]);
    }
  });

  test("are kept by no cache", async () => {
    for (const { path } of PAGES) {
      const response = await ask(addressOf(filled, path), cast.people.owner);
      expect([path, response.headers.get("cache-control")]).toEqual([path, expect.stringMatching(/no-store|private/)]);
    }
  });
});

test.describe("downloads and streams", () => {
  for (const visitor of VISITORS) {
    test(`answer ${visitor} as the table says`, async () => {
      const statuses = await outcomesOf(ROUTES, async ({ path }) => {
        const controller = new AbortController();
        const person = cast.people[visitor];
        const { status } = await ask(addressOf(filled, path), person, controller.signal);
        controller.abort();
        return status === 204 ? "200" : String(status);
      });
      expect(statuses).toEqual(Object.fromEntries(ROUTES.map((route) => [route.path, statusFor(visitor, route)])));
    });
  }

  test("give another company nothing", async () => {
    for (const { path } of ROUTES.filter(({ path }) => path.includes("["))) {
      expect([path, (await ask(addressOf(filled, path), stranger)).status]).toEqual([path, 404]);
    }
  });
});

function statusFor(visitor: Visitor, route: Exposed): string {
  if (isAllowed(visitor, route)) return "200";
  return isSignedIn(visitor) || route.audience === "staff" ? "404" : "401";
}

/** What a page answers: "shown", "not found", or where it leads to. */
function expectedOf(visitor: Visitor, page: ExposedPage): string {
  const isNowhere = page.path.includes("[...");
  if (isAllowed(visitor, page)) return isNowhere ? "not found" : "shown";
  if (page.audience === "staff") return visitor === "staff without a second factor" ? "/panel/enrol" : "not found";
  if (!isSignedIn(visitor)) return `/panel/sign-in?next=${encodeURIComponent(addressOf(filled, page.path))}`;
  if (visitor === "a person of no account") return "/panel/no-account";
  return visitor.startsWith("staff") ? "/staff" : "not found";
}

async function visit(address: string, person: TestPerson | null): Promise<string> {
  const response = await ask(address, person);
  return response.headers.get("location") ?? outcomeOf(await response.text());
}

function outcomeOf(html: string): string {
  const redirect = REDIRECT_MARK.exec(html)?.[1];
  if (redirect !== undefined) return redirect.replaceAll("&amp", "&");
  if (html.includes(NOT_FOUND_MARK) || NOT_FOUND.test(html)) return "not found";
  return /<h1[ >]/.test(html) ? "shown" : "nothing";
}

function ask(address: string, person: TestPerson | null, signal?: AbortSignal): Promise<Response> {
  return fetch(new URL(address, suite.url), { redirect: "manual", headers: person ? cookieOf(person) : {}, signal });
}

async function outcomesOf(places: ExposedPage[], outcome: (place: ExposedPage) => Promise<string>) {
  const outcomes: Record<string, string> = {};
  for (const place of places) outcomes[place.path] = await outcome(place);
  return outcomes;
}
