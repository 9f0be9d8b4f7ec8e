import { callEndpoint, noIds, pathResource } from "@/e2e/api/support/endpoint-requests";
import { withoutRequestId } from "@/e2e/api/support/expect-error";
import { type Attack, KINDS, type World } from "@/e2e/api/support/tenancy/attacks";
import type { LeakWatch } from "@/e2e/api/support/tenancy/leak-watch";
import type { Tenant } from "@/e2e/api/support/tenancy/tenants";
import type { HttpsReceiver } from "@/e2e/support/https-receiver";
import { modelJournal } from "@/e2e/support/suite";
import { type EndpointDefinition, endpointName } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";

const CALLS_AT_ONCE = 8;

/** Makes the calls of one world, and gathers what must not be. */
export class TenancyRun {
  calls = 0;
  readonly kinds = new Map<string, number>();
  readonly idKinds = new Set<string>();
  readonly violations: string[] = [];
  /** Names of endpoints that were called. */
  readonly asked = new Set<string>();
  readonly #likes = new Map<string, Promise<string>>();

  constructor(
    private readonly world: World,
    private readonly watch: LeakWatch,
  ) {}

  async attackAll(perKind: number, random: () => number): Promise<void> {
    const works: (() => Promise<void>)[] = [];
    for (const definition of ENDPOINTS) {
      const attacks = definition.auth === "key" ? this.#draw(definition, perKind) : [];
      works.push(...attacks.map((attack) => () => this.#make(attack)));
      if (definition.auth === "none") works.push(() => this.#callOpen(definition));
      else works.push(() => this.#callOwn(definition));
    }
    for (let at = works.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1));
      [works[at], works[other]] = [works[other] as () => Promise<void>, works[at] as () => Promise<void>];
    }
    await Promise.all(
      Array.from({ length: CALLS_AT_ONCE }, async () => {
        for (let work = works.pop(); work; work = works.pop())
          await work().catch((error: Error) => this.violations.push(error.message));
      }),
    );
    const names = ENDPOINTS.map(endpointName).filter((name) => !this.asked.has(name));
    for (const name of names) this.violations.push(`${name} is in no kind of attack`);
  }

  /** An endpoint that the tables of this test do not know is a violation: it would not be looked at. */
  #draw(definition: EndpointDefinition, perKind: number): Attack[] {
    try {
      return Object.values(KINDS).flatMap((make) =>
        Array.from({ length: perKind }, () => make(definition, this.world)).filter((attack) => attack !== null),
      );
    } catch (error) {
      this.violations.push(`${endpointName(definition)}: ${(error as Error).message}`);
      return [];
    }
  }

  async #make({ kind, definition, by, call, like, expected }: Attack): Promise<void> {
    const name = endpointName(definition);
    const answer = await callEndpoint(definition, call);
    this.#count(kind, name, call.id ?? "", ...Object.values(call.fields ?? {}));
    const what = `${name}, ${kind}, ${JSON.stringify({ ...call, apiKey: undefined })}`;
    const code = (answer.body.error as { code?: string } | undefined)?.code;
    const isExpected = !expected || (answer.status === expected.status && (!expected.code || code === expected.code));
    if (!isExpected) this.violations.push(`${what} was answered ${answer.status} ${answer.text.slice(0, 200)}`);
    this.#lookForMarks(what, by, call.fields?.endUserId, answer, JSON.stringify({ ...call, apiKey: undefined }));
    if (!like) return;
    const key = `${name} ${like.name}`;
    const missing = this.#likes.get(key) ?? callEndpoint(definition, like.call).then(formOf);
    this.#likes.set(key, missing);
    const [seen, wanted] = [formOf(answer), await missing];
    if (seen !== wanted) this.violations.push(`${what} is not answered as for what nobody has: ${seen}, not ${wanted}`);
  }

  async #callOpen(definition: EndpointDefinition): Promise<void> {
    const by = this.world.draw.from(this.world.tenants.filter(({ isQuiet }) => !isQuiet));
    const answer = await callEndpoint(definition, {});
    this.#count("an open endpoint", endpointName(definition));
    this.#lookForMarks(
      endpointName(definition),
      { account: { accountId: "", projectId: "" } },
      undefined,
      answer,
      by.canary,
    );
  }

  /** Who may reach something does reach it: without that, refusing everybody would pass. */
  async #callOwn(definition: EndpointDefinition): Promise<void> {
    const by = this.world.draw.from(this.world.tenants.filter(({ isQuiet }) => !isQuiet));
    const id = definition.params ? await pathResource(definition).make(by, {}, by.canary) : undefined;
    const call = { apiKey: by.account.apiKey, fields: noIds(definition), ...(id !== undefined && { id }) };
    const answer = await callEndpoint(definition, call);
    this.#count("its owner", endpointName(definition), id ?? "");
    const what = `${endpointName(definition)} by its owner`;
    if ([401, 403, 404].includes(answer.status) || answer.status >= 500)
      this.violations.push(`${what} was answered ${answer.status} ${answer.text.slice(0, 200)}`);
    this.#lookForMarks(what, by, undefined, answer, id ?? "");
  }

  #count(kind: string, name: string, ...ids: (string | undefined)[]): void {
    this.calls += 1;
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
    this.asked.add(name);
    for (const id of ids) {
      const prefix = /^[a-z]{3}(?=_)|^v1(?=\.)/.exec(id ?? "")?.[0];
      if (prefix) this.idKinds.add(prefix);
    }
  }

  #lookForMarks(
    what: string,
    { account }: { account: { accountId: string; projectId: string } },
    endUserId: string | undefined,
    { text, headers }: Answer,
    sent: string,
  ): void {
    const said = `${JSON.stringify([...headers])}\n${text}`;
    const marks = this.watch.foreignMarks({ account, endUserId }, said, sent);
    if (marks.length > 0) this.violations.push(`${what} told ${marks.slice(0, 5).join(", ")} of somebody else`);
  }

  compareRows(before: Map<string, string>, after: Map<string, string>): void {
    for (const [place, digest] of before) {
      if (after.get(place) !== digest)
        this.violations.push(`${place}, which nobody may reach, had ${digest}, then ${after.get(place)}`);
    }
  }

  /** What the model is asked for one tenant and end user holds no word of another. */
  async checkModel(): Promise<number> {
    const journal = await modelJournal();
    for (const { messages } of journal) {
      const places = this.watch.placesIn(JSON.stringify(messages));
      if (places.length > 0) this.violations.push(`the model was shown words of ${places.join(" and ")} together`);
    }
    return journal.length;
  }

  /** A receiver is sent nothing but its own project's events. */
  checkDeliveries({ requests }: HttpsReceiver, tenants: readonly Tenant[]): void {
    for (const { path, body, headers } of requests) {
      const owner = tenants.find(({ canary }) => path.includes(canary));
      if (!owner) this.violations.push(`a delivery came to ${path}`);
      else
        this.#lookForMarks(
          `the delivery to ${path}`,
          owner,
          undefined,
          { text: body.toString(), headers: new Headers(headers as Record<string, string>) },
          "",
        );
    }
  }
}

type Answer = Pick<Awaited<ReturnType<typeof callEndpoint>>, "text" | "headers">;

/** What of an answer must be the same for everybody who may not see a thing. */
function formOf(answer: Awaited<ReturnType<typeof callEndpoint>>): string {
  const { status, headers, body } = answer;
  const names = [...headers.keys()].filter((name) => name !== "connection" && name !== "keep-alive").sort();
  return JSON.stringify([status, names, status >= 400 ? withoutRequestId(answer) : body]);
}
