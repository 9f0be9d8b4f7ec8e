import { callAction, findAction } from "@/e2e/support/call-action";
import { missingOf, withoutIds, withoutTimes } from "@/e2e/support/compared-ids";
import { addressOf, type FilledAccount, filledAccount } from "@/e2e/support/filled-account";
import { learnInput, withIds } from "@/e2e/support/learn-input";
import { cookieOf, panelAccount, type TestPerson } from "@/e2e/support/panel-browser";
import { type ExposedAction, type ExposedPage, readActions, readPages, readRoutes } from "@/e2e/support/panel-source";
import { suite } from "@/e2e/support/suite";
import { digestRows, readIds, tenantTables } from "@/e2e/support/tenant-rows";
import {
  askPanel,
  codeOfAction,
  LEADS_ON,
  outcomeOf,
  statusOfRoute,
  visitPage,
  wantedCode,
  wantedOutcome,
  wantedStatus,
} from "@/e2e/support/trust-answers";
import { castOf, type TrustCast, VISITORS } from "@/e2e/support/trust-cast";
import { ROLES } from "@/lib/domain/panel-actions";

export interface PanelTrustResult {
  /** Pages, downloads and actions, each by somebody. */
  asked: number;
  /** Pages and downloads with ids of another account. */
  foreignPages: number;
  /** Actions that take an id, and their calls with ids of another account. */
  actionsWithIds: number;
  foreignActions: number;
  violations: string[];
}

const AT_ONCE = 4;

/**
 * Pages, downloads and actions of the panel, in random order, for everybody who may come to it: each answers as the tables
 * say. Then people of each role with ids of another account: what they get is what they get for ids that nobody has, no
 * word of the other account is in it, and none of its rows changes.
 * @param share of all that can be asked, from 0 to 1
 */
export async function runPanelTrust(random: () => number, share: number): Promise<PanelTrustResult> {
  const canary = `canary${Math.floor(random() * 2 ** 48)
    .toString(16)
    .padStart(16, "0")}`;
  const [own, victim, tables] = await Promise.all([
    filledAccount(`own ${canary.slice(6)}`),
    filledAccount(canary),
    tenantTables(),
  ]);
  const stranger = await castOf(await panelAccount());
  const run = new PanelTrustRun(own, await castOf(own), victim, stranger, canary);
  const read = async () => [
    ...(await digestRows("project", victim.projectId, tables)),
    ...(await digestRows("account", victim.accountId, tables)),
  ];
  const ids = [
    ...(await readIds("project", victim.projectId, tables)),
    ...(await readIds("account", victim.accountId, tables)),
  ];
  const before = await read();
  const withIds = run.withForeignIds(ids);
  const works = [...run.byRole(), ...run.withForeignAddresses(), ...withIds];
  const drawn = works.map((work) => ({ work, at: random() })).filter(() => random() < share);
  const queue = drawn.sort((a, b) => a.at - b.at).map(({ work }) => work);
  const left = withIds.filter((work) => !queue.includes(work));
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let work = queue.pop(); work; work = queue.pop()) await work();
    }),
  );
  // Most actions take no id: of a small share it may be that none which does was drawn.
  for (let work = left.pop(); work && run.foreignActions === 0; work = left.pop()) await work();
  const after = new Map(await read());
  for (const [table, digest] of before) {
    if (after.get(table) !== digest)
      run.violations.push(`the other account's ${table} had ${digest}, then ${after.get(table)}`);
  }
  for (const name of run.blindActions()) run.violations.push(`${name} was never asked for an id that it looks for`);
  const { asked, foreignPages, foreignActions, violations } = run;
  return { asked, foreignPages, actionsWithIds: run.actionsWithIds.size, foreignActions, violations };
}

type Work = () => Promise<void>;

class PanelTrustRun {
  asked = 0;
  foreignPages = 0;
  foreignActions = 0;
  readonly actionsWithIds = new Set<string>();
  readonly violations: string[] = [];
  /** Actions that looked for what an id names: their input was right for it. */
  readonly #notFound = new Set<string>();
  readonly #pages = readPages().filter(({ audience }) => audience === "panel" || audience === "staff");
  readonly #routes = readRoutes();
  readonly #actions = readActions();

  constructor(
    private readonly own: FilledAccount,
    private readonly cast: TrustCast,
    private readonly victim: FilledAccount,
    private readonly stranger: TrustCast,
    private readonly canary: string,
  ) {}

  byRole(): Work[] {
    return VISITORS.flatMap((visitor) => {
      const person = this.cast.people[visitor];
      const address = (path: string) => addressOf(this.own, path);
      return [
        ...this.#pages.map((page) =>
          this.#ask(`${page.path} for ${visitor}`, wantedOutcome(visitor, page, address(page.path)), () =>
            visitPage(page.path, address(page.path), person),
          ),
        ),
        ...this.#routes.map((route) =>
          this.#ask(`${route.path} for ${visitor}`, String(wantedStatus(visitor, route)), async () =>
            String(await statusOfRoute(address(route.path), person)),
          ),
        ),
        ...this.#actions.map((action) =>
          this.#ask(`${nameOf(action)} for ${visitor}`, wantedCode(visitor, action), async () => {
            const at = findAction(action);
            return at ? codeOfAction(person, at) : "offered by no page";
          }),
        ),
      ];
    });
  }

  #ask(what: string, wanted: string, answer: () => Promise<string>): Work {
    return async () => {
      const given = await answer();
      this.asked += 1;
      if (given !== wanted) this.violations.push(`${what} is answered ${given}, not ${wanted}`);
    };
  }

  /** Also when the browser claims the other account's project. */
  withForeignAddresses(): Work[] {
    return [...this.#pages, ...this.#routes].flatMap((place) =>
      ROLES.map((role) => () => this.#visitForeign(place, role, this.stranger.people[role])),
    );
  }

  async #visitForeign({ path }: ExposedPage, role: string, person: TestPerson | null): Promise<void> {
    const cookie = person ? `${cookieOf(person).Cookie}; panel.project=${this.victim.projectId}` : "";
    const headers = { Cookie: cookie };
    const address = new URL(addressOf(this.victim, path), suite.url);
    const controller = new AbortController();
    const response = await fetch(address, { headers, redirect: "manual", signal: controller.signal });
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const text = isStream ? "" : await response.text();
    if (isStream) controller.abort();
    this.foreignPages += 1;
    const told = [this.canary, this.victim.projectId].find((word) => text.includes(word));
    if (told) this.violations.push(`${path} told ${role} of another account ${told}`);
    if (!path.includes("[") || LEADS_ON[path]) return;
    const outcome = isStream ? "a stream" : response.status === 404 ? "not found" : outcomeOf(text);
    if (outcome !== "not found") this.violations.push(`${path} of another account is answered ${outcome} to ${role}`);
    const none = await askPanel(path.replace("[...rest]", "nowhere").replaceAll(/\[\w+\]/g, "missing"), person);
    if (none.status !== response.status)
      this.violations.push(`${path} is ${response.status}, and ${none.status} for none`);
  }

  /** One id of each kind is enough: an action asks for one kind, and refuses the others unseen. */
  withForeignIds(ids: string[]): Work[] {
    const ofRows = ids.filter((id) => id[3] === "_");
    const kinds = [...Map.groupBy(ofRows, (id) => id.slice(0, 3)).values()].map(([id = ""]) => id);
    const actions = this.#actions.filter(({ audience }) => audience === "panel");
    return actions.map((action) => async () => {
      for (const id of kinds) if (!(await this.#callForeign(action, id, kinds))) return;
    });
  }

  /** Actions whose input was never right, so that they did not look for any id. */
  blindActions(): string[] {
    return [...this.actionsWithIds].filter((name) => !this.#notFound.has(name)).sort();
  }

  /** @returns false for an action that takes no id */
  async #callForeign(action: ExposedAction, id: string, kinds: readonly string[]): Promise<boolean> {
    const at = findAction(action);
    const person = this.stranger.people.owner;
    if (!at || !person) return false;
    const headers = { ...cookieOf(person), Origin: new URL(suite.url).origin };
    const ask = async (input: unknown) => (await callAction(at, input, headers)).result;
    const others = kinds.filter((other) => other !== id).map(missingOf);
    const learned = await learnInput(ask, missingOf(id), others);
    if ([...learned.ids.keys()].every((path) => path === "confirmation")) return false;
    this.actionsWithIds.add(nameOf(action));
    this.foreignActions += 1;
    if (learned.result && !learned.result.ok && learned.result.code === "NOT_FOUND") this.#notFound.add(nameOf(action));
    const foreign = withIds(learned, (missing) => kinds.find((kind) => missingOf(kind) === missing) ?? missing);
    const { result, text } = await callAction(at, foreign, headers);
    const what = `${nameOf(action)} with ${JSON.stringify(foreign)}`;
    if (text.includes(this.canary)) this.violations.push(`${what} told ${this.canary} of another account`);
    const given = withoutIds(JSON.stringify(result), kinds);
    const wanted = withoutIds(JSON.stringify(learned.result), kinds.map(missingOf));
    if (withoutTimes(given) !== withoutTimes(wanted))
      this.violations.push(`${what} gave ${given}, and ${wanted} for none`);
    return true;
  }
}

function nameOf({ file, name }: ExposedAction): string {
  return `${file} ${name}`;
}
