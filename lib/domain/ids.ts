import { typeid } from "typeid-js";

/** Prefix of each kind of id (contract §1). */
export const ID_PREFIXES = {
  account: "acc",
  alert: "alr",
  apiKey: "key",
  audit: "aud",
  call: "log",
  delivery: "dlv",
  file: "fil",
  invitation: "inv",
  knowledgeFile: "knw",
  ledger: "led",
  outbox: "evt",
  project: "prj",
  request: "req",
  session: "ses",
  template: "tpl",
  turn: "trn",
  user: "usr",
  userSession: "uss",
  verification: "ver",
  webhook: "whk",
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/** A new id: prefixed, unguessable, sortable by the time of its making (TypeID form). */
export function newId(kind: IdKind): string {
  return typeid(ID_PREFIXES[kind]).toString();
}

/** Whether a text has the form of an id of that kind; saves a look-up for what cannot exist. */
export function isId(kind: IdKind, text: string): boolean {
  return new RegExp(`^${ID_PREFIXES[kind]}_[0-7][0-9a-hjkmnp-tv-z]{25}$`).test(text);
}
