import type { CallSummary } from "@/lib/contracts/call-log";
import { type EndpointDefinition, endpointPath } from "@/lib/contracts/endpoint-definition";
import type { AppError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/ids";
import type { Exchange } from "@/lib/http/exchange";
import { textOf } from "@/lib/http/respond";
import { redact } from "@/lib/log";

/**
 * What the call log keeps of a call: names that our own definitions hold, sizes, and ids that passed validation. What a
 * client wrote stays out, also where it failed validation: unknown field names and malformed ids are its own words.
 */

const MAX_USER_AGENT_CHARACTERS = 256;

/** The path with its ids, without query; the pattern while the ids are not known to be ids. */
export function pathOf({ definition, params }: Exchange): string {
  const pattern = endpointPath(definition);
  if (!params) return pattern;
  const values = params as Record<string, unknown>;
  return pattern.replace(/:(\w+)/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

/** What the caller's program calls itself, capped; keys in it are cut out. */
export function userAgentOf(headers: Pick<Headers, "get">): string | null {
  const text = headers.get("user-agent");
  if (!text) return null;
  return redact(text.slice(0, 4 * MAX_USER_AGENT_CHARACTERS))
    .replace(/[\u0000-\u001f\u007f]/g, " ")
    .slice(0, MAX_USER_AGENT_CHARACTERS);
}

/** The session that a call is about. */
export interface CallSession {
  id: string | null;
  endUserId: string | null;
  /** Sessions in the answer of a call that starts work. */
  startedIds: string[];
}

/** Looks in the answer first, then in the path, then in the body. */
export function sessionOf({ params, query, body, result, replayed }: Exchange): CallSession {
  const answer = replayed === undefined ? result : parse(replayed);
  const answered = (Array.isArray(answer) ? answer : [answer]).map((item) => fieldOf(item, "sessionId"));
  const startedIds = answered.filter((id) => id !== null && isId("session", id)) as string[];
  const named = [
    startedIds.length === 1 ? startedIds[0] : null,
    fieldOf(params, "sessionId"),
    fieldOf(params, "id"),
    fieldOf(body, "sessionId"),
  ];
  return {
    id: named.find((id) => id && isId("session", id)) ?? null,
    endUserId: fieldOf(body, "endUserId") ?? fieldOf(query, "endUserId") ?? fieldOf(answer, "endUserId"),
    startedIds: [...new Set(startedIds)],
  };
}

/** Sizes and names; of a batch also its sessions, which lead to its turns and their credits. */
export function summarize(
  exchange: Exchange,
  response: Response,
  failure: AppError | undefined,
  startedIds: string[],
): CallSummary {
  const { definition, request, body, files, replayed } = exchange;
  const bodyBytes = Number(request.headers.get("content-length") ?? Number.NaN);
  const query = queryNames(definition, request.url);
  const invalid = invalidNames(definition, failure);
  return {
    ...(definition.body && Number.isSafeInteger(bodyBytes) && { bodyBytes }),
    ...(isRecord(body) && { fields: sizesOf(body) }),
    ...(files && files.length > 0 && { fileBytes: files.map(({ size }) => size) }),
    ...(query.length > 0 && { query }),
    ...(invalid.length > 0 && { invalid }),
    ...(startedIds.length > 1 && { sessionIds: startedIds }),
    ...(replayed !== undefined && { isReplay: true }),
    ...summarizeAnswer(response, exchange.result),
  };
}

/** Of the answer: its size, its type unless it is JSON, and of a list its entries. */
export function summarizeAnswer(response: Response, result: unknown) {
  const text = textOf(response);
  const announced = response.headers.get("content-length");
  const bytes = text === undefined ? announced && Number(announced) : Buffer.byteLength(text);
  const type = text === undefined ? response.headers.get("content-type") : null;
  const items = Array.isArray(result) ? result : isRecord(result) ? result.data : undefined;
  return {
    ...(typeof bytes === "number" && { answerBytes: bytes }),
    ...(type !== null && { answerType: type }),
    ...(Array.isArray(items) && { answerItems: items.length }),
  };
}

/** Of texts their characters, of lists and objects their entries; of the rest only that it was there. */
function sizesOf(body: Record<string, unknown>): Record<string, number> {
  const given = Object.entries(body).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, sizeOf(value)]));
}

function sizeOf(value: unknown): number {
  if (typeof value === "string" || Array.isArray(value)) return value.length;
  return isRecord(value) ? Object.keys(value).length : 1;
}

function queryNames(definition: EndpointDefinition, url: string): string[] {
  const start = url.indexOf("?");
  if (!definition.query || start === -1) return [];
  const given = new URLSearchParams(url.slice(start));
  return Object.keys(definition.query.shape).filter((name) => given.has(name));
}

/** Which fields were wrong, as far as the definition knows them. */
function invalidNames(definition: EndpointDefinition, failure: AppError | undefined): string[] {
  if (!failure || failure.status >= 500) return [];
  const wrong = (failure.details ?? [{ param: failure.param ?? "" }]).map(({ param }) => param.split(/[.[]/)[0] ?? "");
  const known = knownNames(definition);
  return [...new Set(wrong.filter((name) => known.has(name)))];
}

function knownNames({ query, body }: EndpointDefinition): Set<string> {
  const fields = body && "shape" in body.schema ? Object.keys(body.schema.shape as object) : [];
  const file = body && body.kind !== "json" ? [body.file.field] : [];
  return new Set([...Object.keys(query?.shape ?? {}), ...fields, ...file, "Idempotency-Key"]);
}

function fieldOf(object: unknown, name: string): string | null {
  const value = isRecord(object) && Object.hasOwn(object, name) ? object[name] : null;
  return typeof value === "string" ? value : null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
