import { readdir } from "node:fs/promises";
import type { Benchmark, BenchmarkRun } from "@/bench/support/benchmark";
import { NAUGHTY_TEXTS, NAUGHTY_VALUES } from "@/bench/support/naughty-values";
import { seededRandom } from "@/bench/support/random";
import { callbackSecret } from "@/bench/support/seed-deliveries";
import { type BenchStage, setStage } from "@/bench/support/stage";
import { startModelServer } from "@/e2e/support/model-server";
import { type EndpointDefinition, endpointName, endpointPath } from "@/lib/contracts/endpoint-definition";
import { ENDPOINTS } from "@/lib/contracts/endpoints";

const CALLS_AT_ONCE = 8;
const CALL_TIMEOUT_MS = 60_000;
const MIXED_PER_ENDPOINT = 60;
/** Characters of a value in an address: what is longer than a request's head may be never reaches an endpoint. */
const IN_ADDRESS = 300;
/** A stored file is called by a key of its own, in a folder of its beginning. */
const STORED_FILE = /^(?:[0-9a-f]{2}\/)+[0-9a-f]{38,40}$/;

interface BadCall {
  definition: EndpointDefinition;
  id: string;
  fields: Record<string, unknown>;
}

interface Answer {
  call: BadCall;
  status: number;
  text: string;
}

/**
 * Texts and values that break programs, in every field, query parameter and path of every endpoint, one at a time and mixed:
 * no answer is a fault of the server, nothing comes to lie outside of the store, and no key or secret is in an answer or in
 * the server's log.
 */
export const badInput: Benchmark = async (run) => {
  const model = await startModelServer({ journalLimit: 10 });
  run.onEnd(() => model.stop());
  const stage = await setStage(run, model.baseUrl, {
    LOG_LEVEL: "debug",
    OPENAI_API_KEY: "sk-canary-of-the-model-key",
  });
  const account = await stage.newAccount();
  const seed = run.option("seed", Date.now() % 1_000_000);
  const calls = drawCalls(run, seededRandom(seed));
  const before = await outsideOfStore(stage);
  const answers = await sendAll(stage, account.apiKey, calls);
  const open = await stage.drain();
  const secrets = [
    account.apiKey,
    account.apiKey.slice(4),
    await callbackSecret(account),
    ...["ENCRYPTION_KEY", "AUTH_SECRET", "OPENAI_API_KEY"].map((name) => stage.service.variables[name] ?? name),
  ];
  check(run, stage, answers, secrets);
  run.report.mustHold(open === 0, `${open} jobs had not ended`);
  const outside = (await outsideOfStore(stage)).filter((path) => !before.includes(path));
  run.report.figure("files outside of the store", outside.length, "", { atMost: 0 });
  run.report.mustHold(outside.length === 0, `there are new files: ${outside.slice(0, 5).join(", ")}`);
  run.report.note(`Seed ${seed}; ${NAUGHTY_TEXTS.length} texts and ${NAUGHTY_VALUES.length} values.`);
  await stage.checkBooks(account);
};

function drawCalls(run: BenchmarkRun, random: () => number): BadCall[] {
  const anyOf = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)] as T;
  const all = ENDPOINTS.flatMap((definition) => {
    const names = [...new Set([...namesOf(definition.query), ...namesOf(definition.body?.schema)])];
    const single = names.flatMap((name) =>
      [...NAUGHTY_TEXTS, ...NAUGHTY_VALUES].map((value) => ({ definition, id: "none", fields: { [name]: value } })),
    );
    const paths = definition.path.includes(":")
      ? NAUGHTY_TEXTS.map((text) => ({ definition, id: text.slice(0, IN_ADDRESS), fields: {} }))
      : [];
    const mixed = Array.from({ length: MIXED_PER_ENDPOINT }, () => ({
      definition,
      id: anyOf(NAUGHTY_TEXTS).slice(0, IN_ADDRESS),
      fields: Object.fromEntries(
        names.map((name) => [name, random() < 0.3 ? anyOf(NAUGHTY_VALUES) : anyOf(NAUGHTY_TEXTS)]),
      ),
    }));
    return [...single, ...paths, ...mixed];
  });
  return run.isShort ? all.filter(() => random() < 0.15) : all;
}

function namesOf(schema: unknown): string[] {
  return Object.keys((schema as { shape?: object } | undefined)?.shape ?? {});
}

async function sendAll({ service }: BenchStage, apiKey: string, calls: BadCall[]): Promise<Answer[]> {
  const left = [...calls];
  const answers: Answer[] = [];
  await Promise.all(
    Array.from({ length: CALLS_AT_ONCE }, async () => {
      for (let call = left.pop(); call !== undefined; call = left.pop()) {
        answers.push(await send(service.url, apiKey, call));
      }
    }),
  );
  return answers;
}

async function send(origin: string, apiKey: string, call: BadCall): Promise<Answer> {
  const { definition, id, fields } = call;
  const { method, body, query } = definition;
  const inQuery = new Set(namesOf(query));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(fields))
    if (inQuery.has(name)) search.append(name, asText(value).slice(0, IN_ADDRESS));
  const url = new URL(`${origin}/${endpointPath(definition)}`);
  url.pathname = url.pathname.replace(/:\w+/, encodeURIComponent(id.toWellFormed()));
  url.search = search.toString();
  const own = Object.entries(fields).filter(([name]) => !inQuery.has(name));
  const sent = { ...(body?.example as object | undefined), ...Object.fromEntries(own) };
  const headers: Record<string, string> = { "x-api-key": apiKey };
  if (body?.kind === "json") headers["content-type"] = "application/json";
  try {
    const response = await fetch(url, {
      method,
      headers,
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      ...(body && { body: body.kind === "json" ? JSON.stringify(sent) : formOf(sent, body.file.field) }),
    });
    // A stream that was found goes on: its status says enough.
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const text = isStream ? "" : await response.text();
    if (isStream) await response.body?.cancel();
    return { call, status: response.status, text };
  } catch (error) {
    return { call, status: 0, text: String(error) };
  }
}

function formOf(fields: Record<string, unknown>, fileField: string): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, asText(value));
  form.append(fileField, new File(["Some text\n"], asText(Object.values(fields)[0] ?? "note.txt").slice(0, 200)));
  return form;
}

const asText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

function check({ report }: BenchmarkRun, { service }: BenchStage, answers: Answer[], secrets: string[]): void {
  const statuses = Map.groupBy(answers, ({ status }) => status);
  report.figure("calls", answers.length, "");
  for (const [status, group] of [...statuses].sort(([a], [b]) => a - b))
    report.figure(`  answered ${status}`, group.length, "");
  const faults = answers.filter(({ status }) => status === 0 || status >= 500);
  const told = answers.filter(({ status, text }) => status >= 400 && secrets.some((secret) => text.includes(secret)));
  const log = service.log();
  const logged = secrets.filter((secret) => log.includes(secret));
  const errors = log.split("\n").filter((line) => line.includes('"level":"error"'));
  const none = { atMost: 0 };
  report.figure("faults of the server (5xx, or none)", faults.length, "", none);
  report.figure("keys and secrets in answers that refuse", told.length, "", none);
  report.figure(`keys and secrets in ${(log.length / 1_000_000).toFixed(1)} MB of log`, logged.length, "", none);
  report.figure("errors in the log", errors.length, "", none);
  for (const { call, status, text } of faults.slice(0, 5)) {
    const what = `${endpointName(call.definition)} ${JSON.stringify(call.id)} ${JSON.stringify(call.fields).slice(0, 200)}`;
    report.mustHold(false, `${what} was answered ${status}: ${text.slice(0, 200)}`);
  }
  report.mustHold(told.length === 0 && logged.length === 0, "a key or a secret came out");
  report.mustHold(errors.length === 0, `the log has errors, the first: ${errors[0]?.slice(0, 300)}`);
  report.mustHold(log.length > 0, "the server wrote no log: nothing was looked at");
}

/** Files of the data directory that are not stored ones. */
async function outsideOfStore({ service }: BenchStage): Promise<string[]> {
  const entries = await readdir(service.dataDir, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(service.dataDir.length + 1))
    .filter((path) => !(path.startsWith("files/") && STORED_FILE.test(path.slice("files/".length))));
}
