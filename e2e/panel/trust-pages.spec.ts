import { randomUUID } from "node:crypto";
import { expect, test } from "playwright/test";
import { addressOf, type FilledAccount, filledAccount } from "@/e2e/support/filled-account";
import { cookieOf, panelAccount, type TestPerson } from "@/e2e/support/panel-browser";
import { type ExposedPage, readPages, readRoutes } from "@/e2e/support/panel-source";
import { suite } from "@/e2e/support/suite";
import {
  askPanel,
  LEADS_ON,
  outcomeOf,
  statusOfRoute,
  visitPage,
  wantedOutcome,
  wantedStatus,
} from "@/e2e/support/trust-answers";
import { castOf, isSignedIn, type TrustCast, VISITORS } from "@/e2e/support/trust-cast";

/** Every page and download of the panel against everybody who may ask for it, over HTTP. */

const PAGES = readPages().filter(({ audience }) => audience === "panel" || audience === "staff");
const ROUTES = readRoutes();
/** Nothing else in the world says this. */
const CANARY = `canary-${randomUUID()}`;
let filled: FilledAccount;
let cast: TrustCast;
let stranger: TestPerson;

test.beforeAll(async () => {
  filled = await filledAccount(CANARY);
  cast = await castOf(filled);
  stranger = await (await panelAccount()).addPerson("owner");
});

test.describe("pages", () => {
  test("are all found", () => {
    expect(PAGES.length).toBeGreaterThan(20);
    expect(ROUTES.length).toBeGreaterThan(3);
  });

  for (const visitor of VISITORS) {
    test(`answer ${visitor} as the table says`, async () => {
      const outcomes = await answersOf(PAGES, ({ path }) =>
        visitPage(path, addressOf(filled, path), cast.people[visitor]),
      );
      const wanted = PAGES.map((page) => [page.path, wantedOutcome(visitor, page, addressOf(filled, page.path))]);
      expect(outcomes).toEqual(Object.fromEntries(wanted));
    });
  }

  test("of staff have status 404 for everybody else who is signed in, and nothing of a shell around them", async () => {
    const staffPages = PAGES.filter(({ audience }) => audience === "staff");
    for (const visitor of VISITORS.filter((each) => isSignedIn(each) && !each.startsWith("staff"))) {
      for (const { path } of staffPages) {
        const response = await askPanel(addressOf(filled, path), cast.people[visitor]);
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
      for (const missing of ["missing", "%00"]) {
        const address = path.replaceAll(/\[[^\]]+\]/g, missing);
        const { status } = await askPanel(address, cast.people[audience === "staff" ? "staff" : "owner"]);
        expect([path, missing, status]).toEqual([path, missing, 404]);
      }
    }
  });

  test("are kept by no cache", async () => {
    for (const { path } of PAGES) {
      const response = await askPanel(addressOf(filled, path), cast.people.owner);
      expect([path, response.headers.get("cache-control")]).toEqual([path, expect.stringMatching(/no-store|private/)]);
    }
  });
});

test.describe("downloads and streams", () => {
  for (const visitor of VISITORS) {
    test(`answer ${visitor} as the table says`, async () => {
      const statuses = await answersOf(ROUTES, ({ path }) =>
        statusOfRoute(addressOf(filled, path), cast.people[visitor]),
      );
      expect(statuses).toEqual(Object.fromEntries(ROUTES.map((route) => [route.path, wantedStatus(visitor, route)])));
    });
  }

  test("of what is kept as a file let a browser do nothing with it, whatever is in it", async () => {
    const files = ROUTES.filter(({ path }) => /\/(?:exports|files)\/\[\w+\]$/.test(path));
    expect(files.length).toBe(3);
    for (const { path } of files) {
      const { headers } = await askPanel(addressOf(filled, path), cast.people.owner);
      const [policy, referrer] = [headers.get("content-security-policy"), headers.get("referrer-policy")];
      expect([path, policy, referrer]).toEqual([path, "sandbox; default-src 'none'", "no-referrer"]);
      expect([path, headers.get("content-disposition")]).toEqual([path, expect.stringMatching(/^attachment;/)]);
    }
  });

  test("give another company nothing, and nobody what cannot be there", async () => {
    for (const { path } of ROUTES.filter(({ path }) => path.includes("["))) {
      expect([path, (await askPanel(addressOf(filled, path), stranger)).status]).toEqual([path, 404]);
      const noAddress = path.replaceAll(/\[[^\]]+\]/g, "%00");
      expect([path, (await askPanel(noAddress, cast.people.owner)).status]).toEqual([path, 404]);
    }
  });
});

async function answersOf<Answer>(places: ExposedPage[], answer: (place: ExposedPage) => Promise<Answer>) {
  const answers: Record<string, Answer> = {};
  for (const place of places) answers[place.path] = await answer(place);
  return answers;
}
