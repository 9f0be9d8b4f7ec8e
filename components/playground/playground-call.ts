import type { PlaygroundEndpoint, PlaygroundField } from "@/lib/contracts/playground";

/** A call as it will be made, and as snippets write it: the same one, without the key. */
export interface PlaygroundCall {
  method: string;
  /** From the host's root, with its query. */
  path: string;
  needsKey: boolean;
  headers: [name: string, value: string][];
  body: CallBody;
  isStream: boolean;
  /** Whether it answers with a file. */
  isFile: boolean;
}

export type CallBody =
  | { kind: "none" }
  | { kind: "json"; value: Record<string, unknown> }
  | { kind: "form"; fields: [name: string, value: string][]; fileField: string; fileNames: string[] };

/** What is typed, by `keyOf(field)`. */
export type CallValues = Record<string, string>;

/** Two places of one endpoint may have fields of the same name. */
export function keyOf({ place, name }: Pick<PlaygroundField, "place" | "name">): string {
  return `${place}.${name}`;
}

/** Puts a call together. Empty fields are left out; what is typed wrongly is sent as it is, and the API says what is wrong. */
export function makeCall(endpoint: PlaygroundEndpoint, values: CallValues, fileNames: string[] = []): PlaygroundCall {
  const filled = endpoint.fields.flatMap((field) => {
    const text = values[keyOf(field)] ?? "";
    return text === "" ? [] : [{ field, text }];
  });
  const of = (place: PlaygroundField["place"]) => filled.filter(({ field }) => field.place === place);
  const query = new URLSearchParams(of("query").map(({ field, text }): [string, string] => [field.name, text]));
  return {
    method: endpoint.method,
    path: fillPath(endpoint.path, values) + (query.size > 0 ? `?${query}` : ""),
    needsKey: endpoint.needsKey,
    headers: of("header").map(({ field, text }) => [field.name, text]),
    body: bodyOf(endpoint, of("body"), fileNames),
    isStream: endpoint.isStream,
    isFile: endpoint.isFile,
  };
}

/** What the definition's example says. */
export function exampleValues({ fields }: PlaygroundEndpoint): CallValues {
  const withExample = fields.filter(({ example }) => example !== "");
  return Object.fromEntries(withExample.map((field) => [keyOf(field), field.example]));
}

/** Ids as the examples have them (contract §1). */
const EXAMPLE_ID = /^[a-z]{3}_[0-9a-z]{26}$/;

/** What a form begins with: the example, but for ids, which no project has: the call would end as not found. */
export function firstValues(endpoint: PlaygroundEndpoint): CallValues {
  return Object.fromEntries(Object.entries(exampleValues(endpoint)).filter(([, text]) => !EXAMPLE_ID.test(text)));
}

/** A parameter that is not filled in stays readable, and leads nowhere. */
function fillPath(path: string, values: CallValues): string {
  return path.replace(/:(\w+)/g, (whole, name: string) => {
    // No id begins or ends with a blank; what is copied often does.
    const text = (values[keyOf({ place: "path", name })] ?? "").trim();
    // What a URL would take for a step up or none at all is no id either.
    return text === "" || /^\.{1,2}$/.test(text) ? whole : encodeURIComponent(text);
  });
}

interface FilledField {
  field: PlaygroundField;
  text: string;
}

function bodyOf({ body, file }: PlaygroundEndpoint, filled: FilledField[], fileNames: string[]): CallBody {
  if (body === "none") return { kind: "none" };
  if (body === "form" || (body === "either" && fileNames.length > 0)) {
    const fields = filled.map(({ field, text }): [string, string] => [field.name, text]);
    return { kind: "form", fields, fileField: file?.name ?? "file", fileNames };
  }
  return {
    kind: "json",
    value: Object.fromEntries(filled.map(({ field, text }) => [field.name, jsonOf(field, text)])),
  };
}

function jsonOf({ kind, isBare }: PlaygroundField, text: string): unknown {
  if (kind !== "json" && !isBare) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
