import type { ActionResult } from "@/lib/contracts/action-result";

/** An input for an action, found out from what it says of wrong ones. */
export interface LearnedInput {
  input: Record<string, unknown>;
  /** Where in it an id stands, e.g. "templateId" or "keys.0". */
  idPaths: string[];
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
 */
export async function learnInput(
  call: (input: unknown) => Promise<ActionResult<unknown> | null>,
  id: string,
): Promise<LearnedInput> {
  const input: Record<string, unknown> = {};
  const idPaths = new Set<string>();
  const result = await call(input);
  return learnFrom(result, MOST_TRIES);

  async function learnFrom(last: ActionResult<unknown> | null, tries: number): Promise<LearnedInput> {
    const wrong = last && !last.ok && last.code === "VALIDATION_FAILED" ? Object.entries(last.fieldErrors ?? {}) : [];
    const before = JSON.stringify(input);
    for (const [path, message] of wrong) {
      const isList = path.endsWith("Ids");
      const idPath = isList ? `${path}.0` : path;
      if (path === "" || idPaths.has(idPath)) continue;
      if (isList || ID_NAME.test(path)) idPaths.add(idPath);
      put(input, idPath.split("."), idPaths.has(idPath) ? id : valueFor(path, message));
    }
    if (JSON.stringify(input) === before) return { input, idPaths: [...idPaths], result: last };
    const next = await call(input);
    return tries === 0 ? { input, idPaths: [...idPaths], result: next } : learnFrom(next, tries - 1);
  }
}

/** The same input with another id. */
export function withId({ input, idPaths }: LearnedInput, id: string): Record<string, unknown> {
  const other = structuredClone(input);
  for (const path of idPaths) put(other, path.split("."), id);
  return other;
}

function valueFor(path: string, message: string): unknown {
  if (path === "path") return ".brain/api/db/text.md";
  if (path.endsWith("At")) return new Date().toISOString();
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
