import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ExposedAction } from "@/e2e/support/panel-source";
import { suite } from "@/e2e/support/suite";
import type { ActionResult } from "@/lib/contracts/action-result";

/** Server actions called as a browser calls them, without one: anybody on the network can do this. */

interface BuiltAction {
  filename?: string;
  exportedName?: string;
  workers: Record<string, unknown>;
}

/** Where an action of the build is called. */
export interface ActionAddress {
  id: string;
  /** "/panel/templates/x": a page that offers it. */
  path: string;
}

/** Finds an action in what was built; null when no page offers it. */
export function findAction({ file, name }: Pick<ExposedAction, "file" | "name">): ActionAddress | null {
  const found = Object.entries(builtActions()).find(
    ([, built]) => built.filename === file && built.exportedName === name,
  );
  const [worker] = found ? Object.keys(found[1].workers) : [];
  if (!found || !worker) return null;
  const parts = worker.split("/").slice(1, -1);
  const path = parts.filter((part) => !part.startsWith("(")).map((part) => (part.startsWith("[") ? "x" : part));
  return { id: found[0], path: `/${path.join("/")}` };
}

/** What the server says to a call: the action's answer, or null when it was not even run. */
export interface ActionAnswer {
  status: number;
  result: ActionResult<unknown> | null;
  /** All that was sent: the answer, and the page anew where the action changed it. */
  text: string;
}

export async function callAction(
  { id, path }: ActionAddress,
  input: unknown,
  headers: Record<string, string>,
): Promise<ActionAnswer> {
  const response = await fetch(new URL(path, suite.url), {
    method: "POST",
    redirect: "manual",
    headers: { Accept: "text/x-component", "Content-Type": "text/plain;charset=UTF-8", "Next-Action": id, ...headers },
    body: JSON.stringify([input]),
  });
  const text = await response.text();
  const answer = /^1:(\{"ok":.*\})$/m.exec(text)?.[1];
  return { status: response.status, result: answer === undefined ? null : JSON.parse(answer), text };
}

let actions: Record<string, BuiltAction> | undefined;

function builtActions(): Record<string, BuiltAction> {
  const path = join(process.env.NEXT_DIST_DIR ?? ".next", "server/server-reference-manifest.json");
  if (!existsSync(path)) throw new Error(`${path} is not there: these tests need the build of the service that runs.`);
  actions ??= (JSON.parse(readFileSync(path, "utf8")) as { node: Record<string, BuiltAction> }).node;
  return actions;
}
