import { expect, test } from "playwright/test";
import { type ActionAddress, callAction, findAction } from "@/e2e/support/call-action";
import { ageSignIn, cookieOf, type TestPerson } from "@/e2e/support/panel-browser";
import { type ExposedAction, readActions } from "@/e2e/support/panel-source";
import { suite } from "@/e2e/support/suite";
import { isAllowed, isSignedIn, type TrustCast, trustCast, VISITORS, type Visitor } from "@/e2e/support/trust-cast";

/**
 * Every server action against everybody who may call it, over HTTP. The input is one that no action takes, so that who
 * may act hears of the input, and nothing is ever done.
 */
const UNKNOWN_INPUT = { thereIsNoSuchField: true };
const HEARD_OF_INPUT = "VALIDATION_FAILED";

const ACTIONS = readActions();
let cast: TrustCast;

test.beforeAll(async () => {
  cast = await trustCast();
});

test.describe("server actions", () => {
  test("are all found, and each is offered by a page", () => {
    expect(ACTIONS.length).toBeGreaterThan(30);
    expect(ACTIONS.filter((action) => findAction(action) === null).map(nameOf)).toEqual([]);
  });

  for (const visitor of VISITORS) {
    test(`answer ${visitor} as the table says`, async () => {
      const person = cast.people[visitor];
      const answers = await answersOf(ACTIONS, (address) => callAs(person, address));
      expect(answers).toEqual(byName(ACTIONS, (action) => expectedOf(visitor, action)));
    });
  }

  test("ask for the password again where the table wants a fresh sign-in, and nowhere else", async () => {
    for (const visitor of ["owner", "staff"] as const) {
      const { people } = await trustCast();
      const person = people[visitor];
      if (person) await ageSignIn(person);
      const allowed = ACTIONS.filter((action) => isAllowed(visitor, action) && action.audience !== "public");
      const answers = await answersOf(allowed, (address) => callAs(person, address));
      const wanted = ({ isFreshSignInWanted }: ExposedAction) =>
        isFreshSignInWanted ? "CONFIRM_PASSWORD" : HEARD_OF_INPUT;
      expect(answers).toEqual(byName(allowed, wanted));
    }
  });

  for (const [whence, origin] of Object.entries({
    "another site": "https://evil.example",
    "a sandboxed frame": "null",
    "a site whose name begins as ours": `${originOf(suite.url)}.evil.example`,
    nowhere: null,
  })) {
    test(`are not run for the page of ${whence}, whoever is signed in`, async () => {
      for (const visitor of ["owner", "staff"] as const) {
        const own = ACTIONS.filter(({ audience }) => (audience === "staff") === (visitor === "staff"));
        const answers = await answersOf(own, (address) => callAs(cast.people[visitor], address, origin));
        const wrong = Object.entries(answers).filter(([, code]) => code !== "NOT_FOUND" && code !== "refused");
        expect(wrong).toEqual([]);
      }
    });
  }
});

function expectedOf(visitor: Visitor, action: ExposedAction): string {
  if (isAllowed(visitor, action)) return HEARD_OF_INPUT;
  return isSignedIn(visitor) || action.audience === "staff" ? "NOT_FOUND" : "SIGNED_OUT";
}

/** By the action's name, the code that the server answers with. */
async function answersOf(
  actions: ExposedAction[],
  call: (address: ActionAddress) => Promise<string>,
): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const action of actions) {
    const address = findAction(action);
    if (address) answers[nameOf(action)] = await call(address);
  }
  return answers;
}

async function callAs(
  person: TestPerson | null,
  address: ActionAddress,
  origin: string | null = originOf(suite.url),
): Promise<string> {
  const headers = { ...(person && cookieOf(person)), ...(origin !== null && { Origin: origin }) };
  const { status, result } = await callAction(address, UNKNOWN_INPUT, headers);
  if (result === null) return status >= 400 ? "refused" : `status ${status}`;
  return result.ok ? "done" : result.code;
}

function byName(actions: ExposedAction[], say: (action: ExposedAction) => string): Record<string, string> {
  return Object.fromEntries(actions.map((action) => [nameOf(action), say(action)]));
}

function nameOf({ file, name }: ExposedAction): string {
  return `${file} ${name}`;
}

function originOf(url: string): string {
  return new URL(url).origin;
}
