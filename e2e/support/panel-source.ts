import { readdirSync, readFileSync } from "node:fs";
import {
  PANEL_ACTIONS,
  type PanelActionId,
  ruleOf,
  STAFF_ACTIONS,
  type StaffActionId,
} from "@/lib/domain/panel-actions";

/**
 * What the panel exposes, read from its source: nobody keeps a list that could forget a page. Whatever stands under
 * `app/panel` and `app/staff` and does not say whom it is for makes reading fail.
 */

/** Who is asked for: people of an account, staff, whoever is signed in, anybody. */
export type Audience = "panel" | "staff" | "person" | "public";

export interface Exposed {
  audience: Audience;
  /** A line of the action table; of `person` and `public` a name. */
  action: string;
  /** "app/panel/(owner)/api-b2b/api-keys/page.tsx" */
  file: string;
}

export interface ExposedPage extends Exposed {
  /** "/panel/api-b2b/webhooks/[id]" */
  path: string;
}

export interface ExposedAction extends Exposed {
  name: string;
  isFreshSignInWanted: boolean;
}

/** Pages for people who are not signed in. */
const PUBLIC_PAGES = [
  "change-email",
  "confirm-email",
  "forgot-password",
  "invitation/[token]",
  "reset-password",
  "sign-in",
  "sign-up",
];
/** Actions without a wrapper: nothing but the end of the caller's own session. */
const BARE_ACTIONS = ["app/panel/actions.ts signOut"];

/** Those that are read here. */
const ACTIONS_FILE = /^app\/(?:panel|staff)\/(?:.*\/)?actions\.ts$/;
const GUARDED_PAGE = /await (?:Promise\.all\(\[[^\]]*)?\brequire(Panel|Staff)\(\s*"([^"]+)"/;
const PERSON_PAGE = /await requirePerson\(\)/;
const EXPORT = /^export (?!type |interface )(.*)$/gm;
const WRAPPED_ACTION = /^const (\w+) = (panel|staff|person|public)Action\(/;
const WRAPPED_ROUTE = /^const GET = (panel|staff)Route(?:<[^(]*>)?\(/;

/** Every page below /panel and /staff. */
export function readPages(): ExposedPage[] {
  return filesNamed("page.tsx").map((file) => ({ ...guardOf(file), file, path: pathOf(file) }));
}

/** Every route of the panel's own: downloads, streams. */
export function readRoutes(): ExposedPage[] {
  return filesNamed("route.ts").map((file) => {
    const exported = exportsOf(file);
    const [only] = exported;
    const match = only && WRAPPED_ROUTE.exec(only.text);
    if (!only || !match || exported.length > 1) throw new Error(`${file} exports more or less than a wrapped GET.`);
    return { file, path: pathOf(file), ...inTable(file, match[1] as Audience, firstText(only.rest)) };
  });
}

/** Every server action. */
export function readActions(): ExposedAction[] {
  refuseScatteredActions();
  return filesNamed("actions.ts").flatMap((file) =>
    exportsOf(file).flatMap(({ text, rest }) => {
      const match = WRAPPED_ACTION.exec(text);
      const name = /^(?:async function|const) (\w+)/.exec(text)?.[1] ?? text;
      if (!match && BARE_ACTIONS.includes(`${file} ${name}`)) return [];
      if (!match) throw new Error(`${file}: ${name} is callable from any browser, and nothing wraps it.`);
      const exposed = inTable(file, match[2] as Audience, firstText(rest));
      return [{ file, name, ...exposed, isFreshSignInWanted: isFresh(exposed, rest) }];
    }),
  );
}

function guardOf(file: string): Omit<Exposed, "file"> {
  const source = read(file);
  const match = GUARDED_PAGE.exec(source);
  if (match) return inTable(file, match[1] === "Staff" ? "staff" : "panel", match[2] ?? "");
  const name = pathOf(file).replace("/panel/", "");
  if (PERSON_PAGE.test(source)) return { audience: "person", action: name };
  if (PUBLIC_PAGES.includes(name)) return { audience: "public", action: name };
  throw new Error(`${file} asks nobody who they are: await requirePanel or requireStaff first.`);
}

/** An action of the panel must be in the panel's table, one of staff in that of staff; and each in its own folder. */
function inTable(file: string, audience: Audience, action: string): Omit<Exposed, "file"> {
  if (audience === "panel" && !(action in PANEL_ACTIONS)) throw new Error(`${file}: "${action}" is in no table.`);
  if (audience === "staff" && !(action in STAFF_ACTIONS)) throw new Error(`${file}: "${action}" is in no table.`);
  if ((audience === "staff") !== file.startsWith("app/staff/")) throw new Error(`${file} asks for the wrong people.`);
  return { audience, action };
}

function isFresh({ audience, action }: Omit<Exposed, "file">, source: string): boolean {
  if (audience === "person") return /\bFRESH\b|needsFreshSignIn: true/.test(source);
  return audience !== "public" && ruleOf(action as PanelActionId | StaffActionId).needsFreshSignIn === true;
}

/** `"use server"` makes functions callable from any browser: it stands in those `actions.ts` files alone, as the first line. */
function refuseScatteredActions(): void {
  const all = ["app", "components", "lib"]
    .flatMap((folder) => filesBelow(folder))
    .filter((file) => /\.tsx?$/.test(file));
  for (const file of all) {
    const places = [...read(file).matchAll(/^\s*["']use server["']/gm)];
    const isRight = ACTIONS_FILE.test(file) && places.length === 1 && places[0]?.index === 0;
    if (places.length > 0 && !isRight)
      throw new Error(`${file}: server actions belong into an actions.ts file of app/panel or app/staff.`);
  }
}

/** Each export with the source from it to the next one. */
function exportsOf(file: string): { text: string; rest: string }[] {
  const source = read(file);
  const starts = [...source.matchAll(EXPORT)];
  return starts.map((match, at) => ({
    text: match[1] ?? "",
    rest: source.slice(match.index, starts[at + 1]?.index),
  }));
}

function firstText(source: string): string {
  return /\(\s*"([^"]+)"/.exec(source)?.[1] ?? "";
}

/** "app/panel/(owner)/usage/page.tsx" as "/panel/usage". */
function pathOf(file: string): string {
  const parts = file.split("/").slice(1, -1);
  return `/${parts.filter((part) => !part.startsWith("(")).join("/")}`;
}

function filesNamed(name: string): string[] {
  return ["app/panel", "app/staff"].flatMap(filesBelow).filter((file) => file.endsWith(`/${name}`));
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`)
    .sort();
}

function read(file: string): string {
  return readFileSync(file, "utf8");
}
