import type { ActionResult } from "@/lib/contracts/action-result";

/** An input for an action, found out from what it says of wrong ones. */
export interface LearnedInput {
  input: Record<string, unknown>;
  /** What stands where in it an id is asked for, e.g. at "templateId" or "keys.0". */
  ids: ReadonlyMap<string, string>;
  /** What the action answered to it. */
  result: ActionResult<unknown> | null;
}

const MOST_TRIES = 8;
/** What is asked for is text, an address or nothing in particular. */
const TEXT = "https://client.example/text";
/** What is erased is named a second time. */
const ID_NAME = /(^id|Id|^confirmation)$/;

/**
 * Calls with nothing at first, and then with what each answer says is missing or of the wrong kind, until the input is
 * taken or no answer helps any more.
 * @param id stands wherever an id is asked for
 * @param otherIds of other kinds: tried where that one is taken at one place and refused at another, as for what belongs to
 *   something
 */
export async function learnInput(
  call: (input: unknown) => Promise<ActionResult<unknown> | null>,
  id: string,
  otherIds: readonly string[] = [],
): Promise<LearnedInput> {
  const input: Record<string, unknown> = {};
  const ids = new Map<string, string>();
  const learned = await learnFrom(await call(input), MOST_TRIES);
  for (const other of otherIds) {
    const refused = refusedIds(learned.result);
    if (refused.length === 0 || refused.length === ids.size) break;
    for (const path of refused) putId(path, other);
    learned.result = await call(input);
  }
  return refusedIds(learned.result).length > 0 ? learned : learnFrom(learned.result, MOST_TRIES);

  function refusedIds(last: ActionResult<unknown> | null): string[] {
    return wrongFields(last).flatMap(([path]) => (ids.has(path) ? [path] : []));
  }

  function putId(path: string, value: string): void {
    ids.set(path, value);
    put(input, path.split("."), value);
  }

  async function learnFrom(last: ActionResult<unknown> | null, tries: number): Promise<LearnedInput> {
    const before = JSON.stringify(input);
    for (const [path, message] of wrongFields(last)) {
      const isList = path.endsWith("Ids");
      const idPath = isList ? `${path}.0` : path;
      if (path === "" || ids.has(idPath)) continue;
      if (isList || ID_NAME.test(path)) putId(idPath, id);
      else put(input, path.split("."), valueFor(path, message));
    }
    if (JSON.stringify(input) === before) return { input, ids, result: last };
    const next = await call(input);
    return tries === 0 ? { input, ids, result: next } : learnFrom(next, tries - 1);
  }
}

function wrongFields(last: ActionResult<unknown> | null): [path: string, message: string][] {
  return last && !last.ok && last.code === "VALIDATION_FAILED" ? Object.entries(last.fieldErrors ?? {}) : [];
}

/** The same input with other ids. @param otherOf what stands for which of the learned ones */
export function withIds({ input, ids }: LearnedInput, otherOf: (id: string) => string): Record<string, unknown> {
  const other = structuredClone(input);
  for (const [path, id] of ids) put(other, path.split("."), otherOf(id));
  return other;
}

function valueFor(path: string, message: string): unknown {
  if (path === "path") return ".brain/api/db/text.md";
  // A text was refused there before: then it is a time that is asked for.
  if (path.endsWith("At") || message === "is not valid") return new Date().toISOString();
  const choice = /one of: ([^,]+)/.exec(message)?.[1];
  if (choice !== undefined) return choice;
  if (/whole number|a number/.test(message)) return 1;
  if (/true or false|a boolean/.test(message)) return true;
  if (/an object/.test(message)) return {};
  if (/an array|not be empty/.test(message)) return [TEXT];
  return /e-?mail/.test(message) ? "somebody@example.test" : TEXT;
}

function put(target: Record<string, unknown>, [name = "", ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = target[name];
  if (typeof inner !== "object" || inner === null) target[name] = /^\d+$/.test(rest[0] ?? "") ? [] : {};
  put(target[name] as Record<string, unknown>, rest, value);
}
