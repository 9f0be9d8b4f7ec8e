import { expect, test } from "playwright/test";
import { type ActionAddress, callAction, findAction } from "@/e2e/support/call-action";
import { ageSignIn, cookieOf, type TestPerson } from "@/e2e/support/panel-browser";
import { type ExposedAction, readActions } from "@/e2e/support/panel-source";
import { suite } from "@/e2e/support/suite";
import { codeOfAction, HEARD_OF_INPUT, wantedCode } from "@/e2e/support/trust-answers";
import { isAllowed, type TrustCast, trustCast, VISITORS } from "@/e2e/support/trust-cast";
import { prisma } from "@/lib/db/prisma";

/** Every server action against everybody who may call it, over HTTP. */

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
      const answers = await answersOf(ACTIONS, (address) => codeOfAction(person, address));
      expect(answers).toEqual(byName(ACTIONS, (action) => wantedCode(visitor, action)));
    });
  }

  test("ask for the password again where the table wants a fresh sign-in, and nowhere else", async () => {
    for (const visitor of ["owner", "staff"] as const) {
      const { people } = await trustCast();
      const person = people[visitor];
      if (person) await ageSignIn(person);
      const allowed = ACTIONS.filter((action) => isAllowed(visitor, action) && action.audience !== "public");
      const answers = await answersOf(allowed, (address) => codeOfAction(person, address));
      const wanted = ({ isFreshSignInWanted }: ExposedAction) =>
        isFreshSignInWanted ? "CONFIRM_PASSWORD" : HEARD_OF_INPUT;
      expect(answers).toEqual(byName(allowed, wanted));
    }
  });

  test("send nothing for an account that is suspended; whatever sends nothing goes on", async () => {
    const { account, people } = await trustCast();
    await prisma().account.update({ where: { id: account.accountId }, data: { verificationStatus: "suspended" } });
    const own = ACTIONS.filter(({ audience }) => audience === "panel");
    const answers = await answersOf(own, (address) => codeOfAction(people.owner, address));
    const refused = own.filter((action) => answers[nameOf(action)] === "B2B_NOT_VERIFIED").map(({ name }) => name);
    expect(refused.sort()).toEqual([
      "inviteMember",
      "resendFailed",
      "resendOne",
      "retryAll",
      "retrySession",
      "sendElsewhere",
      "sendPast",
      "sendTest",
    ]);
    const others = own.filter(({ name }) => !refused.includes(name));
    expect(others.filter((action) => answers[nameOf(action)] !== HEARD_OF_INPUT).map(nameOf)).toEqual([]);
  });

  test("are handed on to a page that has them, whatever protocol a proxy's client spoke", async () => {
    const rename = addressOf("renameCompany");
    for (const protocol of ["http", "https"]) {
      const headers = { ...headersOf(cast.people.owner), "X-Forwarded-Proto": protocol };
      const { result } = await callAction({ ...rename, path: "/docs" }, { thereIsNoSuchField: true }, headers);
      expect([protocol, result]).toEqual([protocol, expect.objectContaining({ code: HEARD_OF_INPUT })]);
    }
  });

  test("of staff take no reason that is no text, nor one that is not asked for", async () => {
    for (const name of ["suspend", "decide"]) {
      const { result } = await callAction(addressOf(name), { reason: 5 }, headersOf(cast.people.staff));
      expect([name, result]).toEqual([name, expect.objectContaining({ code: HEARD_OF_INPUT })]);
    }
  });

  test("look nothing up that cannot be an id", async () => {
    const inputs = {
      dismissAlert: { alertId: "\u0000" },
      revokeInvitation: { invitationId: "\u0000" },
      removeMember: { userId: "\u0000" },
      revokeSession: { sessionId: "\u0000" },
      decide: { submissionId: "\u0000", decision: "approve" },
    };
    for (const [name, input] of Object.entries(inputs)) {
      const person = name === "decide" ? cast.people.staff : cast.people.owner;
      const { result } = await callAction(addressOf(name), input, headersOf(person));
      expect([name, result]).toEqual([name, expect.objectContaining({ code: HEARD_OF_INPUT })]);
    }
  });

  test("take what is no data for a wrong input, not for a fault of ours: anybody can name such things", async () => {
    // React's own marks, as texts in what is sent: of what never left the browser, and of a promise.
    for (const mark of ["$T", "$@1"]) {
      const fields = ["company", "email", "name", "password", "reason", "token", "topics", "systemPrompt"];
      const inputs = [mark, Object.fromEntries(fields.map((field) => [field, mark]))];
      for (const action of ACTIONS) {
        const address = findAction(action);
        const person = action.audience === "staff" ? cast.people.staff : cast.people.owner;
        for (const input of address ? inputs : []) {
          const { result } = await callAction(address as ActionAddress, input, headersOf(person));
          expect([nameOf(action), mark, result]).toEqual([
            nameOf(action),
            mark,
            expect.objectContaining({ code: HEARD_OF_INPUT }),
          ]);
        }
      }
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
        const answers = await answersOf(own, (address) => codeOfAction(cast.people[visitor], address, origin));
        const wrong = Object.entries(answers).filter(([, code]) => code !== "NOT_FOUND" && code !== "refused");
        expect(wrong).toEqual([]);
      }
    });
  }
});

function addressOf(name: string): ActionAddress {
  const action = ACTIONS.find((candidate) => candidate.name === name);
  const address = action && findAction(action);
  if (!address) throw new Error(`There is no action ${name}.`);
  return address;
}

function headersOf(person: TestPerson | null): Record<string, string> {
  return { ...(person && cookieOf(person)), Origin: originOf(suite.url) };
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

function byName(actions: ExposedAction[], say: (action: ExposedAction) => string): Record<string, string> {
  return Object.fromEntries(actions.map((action) => [nameOf(action), say(action)]));
}

function nameOf({ file, name }: ExposedAction): string {
  return `${file} ${name}`;
}

function originOf(url: string): string {
  return new URL(url).origin;
}
