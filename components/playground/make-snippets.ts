import type { Snippet } from "@/components/docs/snippets/snippet";
import type { CallBody, PlaygroundCall } from "@/components/playground/playground-call";

/** Where an answer is kept that may be any bytes: terminals and decoders do not take those. */
const ANSWER_FILE = "answer";

/**
 * A call in the languages that readers paste it into. The key is read from `API_KEY`, and files are looked for where the
 * code runs; every text is quoted by the rules of its language.
 * @param hostUrl {host_url}, without a trailing slash
 */
export function makeSnippets(call: PlaygroundCall, hostUrl: string): Snippet[] {
  const url = hostUrl + call.path;
  return [
    { language: "curl", title: "curl", code: curlOf(call, url) },
    { language: "TypeScript", title: "call.mts", code: typescriptOf(call, url) },
    { language: "Python", title: "call.py", code: pythonOf(call, url) },
  ];
}

/** Of one argument Linux takes at most 128 KiB. */
const MAX_ARGUMENT_BYTES = 100_000;
/** Stands alone on a line, as no line of JSON does that has no line ends. */
const END_OF_BODY = "END_OF_BODY";
/** What a form without a field or a file is. */
const EMPTY_FORM = ["-H 'Content-Type: multipart/form-data; boundary=empty'", "--data-raw '--empty--'"];

function curlOf({ method, needsKey, headers, body, isStream, isFile }: PlaygroundCall, url: string): string {
  const parts = [`curl -sS${isStream ? "N" : ""} ${shell(url)}`];
  if (method !== "GET") parts.push(`-X ${method}`);
  if (needsKey) parts.push('-H "X-API-Key: $API_KEY"');
  for (const [name, value] of headers) parts.push(`-H ${shell(`${name}: ${value}`)}`);
  if (isFile) parts.push(`-o ${ANSWER_FILE} -w '%{http_code} %{content_type}\\n'`);
  if (body.kind === "json") {
    const text = JSON.stringify(body.value);
    const argument = shell(text);
    const isLong = new TextEncoder().encode(argument).length > MAX_ARGUMENT_BYTES;
    parts.push("-H 'Content-Type: application/json'");
    parts.push(isLong ? `--data-binary @- <<'${END_OF_BODY}'\n${text}\n${END_OF_BODY}` : `--data-raw ${argument}`);
  }
  if (body.kind === "form") {
    for (const name of body.fileNames) parts.push(`-F ${shell(`${body.fileField}=@${curlQuoted(name)}`)}`);
    for (const [name, value] of body.fields) parts.push(`--form-string ${shell(`${name}=${value}`)}`);
    if (body.fileNames.length === 0 && body.fields.length === 0) parts.push(...EMPTY_FORM);
  }
  return parts.join(" \\\n  ");
}

/** Within single quotes a shell reads everything as it is but the quote. */
function shell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** curl's own rules for a file's name: in quotes, commas and semicolons are part of it. */
function curlQuoted(name: string): string {
  return `"${name.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

function typescriptOf({ method, needsKey, headers, body, isStream, isFile }: PlaygroundCall, url: string): string {
  const files = body.kind === "form" ? body.fileNames : [];
  const lines = files.length > 0 ? ['import { openAsBlob } from "node:fs";', ""] : [];
  if (isFile) lines.push('import { writeFile } from "node:fs/promises";', "");
  if (body.kind === "form") {
    lines.push("const form = new FormData();");
    for (const [name, value] of body.fields) lines.push(`form.append(${script(name)}, ${script(value)});`);
    for (const name of files) {
      lines.push(`form.append(${script(body.fileField)}, await openAsBlob(${script(name)}), ${script(name)});`);
    }
    lines.push("");
  }
  lines.push(`const response = await fetch(${script(url)}, {`);
  if (method !== "GET") lines.push(`  method: ${script(method)},`);
  const sent = [
    ...(needsKey ? ['    "X-API-Key": process.env.API_KEY ?? "",'] : []),
    ...(body.kind === "json" ? ['    "Content-Type": "application/json",'] : []),
    ...headers.map(([name, value]) => `    ${script(name)}: ${script(value)},`),
  ];
  if (sent.length > 0) lines.push("  headers: {", ...sent, "  },");
  if (body.kind === "json") lines.push(`  body: JSON.stringify(${indented(script(body.value))}),`);
  if (body.kind === "form") lines.push("  body: form,");
  lines.push("});");
  if (isStream) {
    lines.push("for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {");
    lines.push("  process.stdout.write(part);", "}");
  } else if (isFile) {
    lines.push(`await writeFile("${ANSWER_FILE}", new Uint8Array(await response.arrayBuffer()));`);
    lines.push('console.log(response.status, response.headers.get("content-type"));');
  } else {
    lines.push("console.log(response.status, await response.text());");
  }
  return lines.join("\n");
}

/** JSON is JavaScript, but for two characters that end its lines. */
function script(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

function indented(text: string): string {
  return text.replaceAll("\n", "\n  ");
}

/** With nothing but what comes with Python. */
function pythonOf(call: PlaygroundCall, url: string): string {
  const { method, needsKey, headers, body, isStream, isFile } = call;
  const imports = [
    ...(body.kind === "json" ? ["import json"] : []),
    ...(needsKey ? ["import os"] : []),
    ...(body.kind === "form" ? ["import uuid"] : []),
    "from urllib.error import HTTPError",
    "from urllib.request import Request, urlopen",
  ];
  const sent = [
    ...(needsKey ? ['        "X-API-Key": os.environ["API_KEY"],'] : []),
    ...(body.kind === "json" ? ['        "Content-Type": "application/json",'] : []),
    ...(body.kind === "form" ? ['        "Content-Type": f"multipart/form-data; boundary={boundary}",'] : []),
    ...headers.map(([name, value]) => `        ${python(name)}: ${python(value)},`),
  ];
  const lines = [...imports, "", ...(body.kind === "form" ? [...pythonForm(body), ""] : []), "request = Request("];
  lines.push(`    ${python(url)},`, `    method=${python(method)},`);
  if (sent.length > 0) lines.push("    headers={", ...sent, "    },");
  if (body.kind === "json") lines.push(`    data=json.dumps(${indented(indented(python(body.value)))}).encode(),`);
  if (body.kind === "form") lines.push("    data=form,");
  lines.push(")", "try:", "    response = urlopen(request)", "except HTTPError as refusal:", "    response = refusal");
  if (isStream) lines.push("for line in response:", '    print(line.decode(), end="", flush=True)');
  else if (isFile) {
    lines.push(`open("${ANSWER_FILE}", "wb").write(response.read())`);
    lines.push('print(response.status, response.headers["Content-Type"])');
  } else lines.push("print(response.status, response.read().decode())");
  return lines.join("\n");
}

/** The body of a form, part by part: Python comes without a way to make one. */
function pythonForm({ fields, fileField, fileNames }: Extract<CallBody, { kind: "form" }>): string[] {
  const fieldPart = ([name, value]: [string, string]) => `part(${pythonName(name)}, ${python(value)}.encode())`;
  const filePart = (name: string) => {
    const place = `name="${quotedInForm(fileField)}"; filename="${quotedInForm(name)}"`;
    return `part(${python(place)}, open(${python(name)}, "rb").read())`;
  };
  return [
    "boundary = uuid.uuid4().hex",
    "",
    "def part(place, content):",
    '    head = f"--{boundary}\\r\\nContent-Disposition: form-data; {place}\\r\\n\\r\\n"',
    '    return head.encode() + content + b"\\r\\n"',
    "",
    'form = b"".join([',
    ...[...fields.map(fieldPart), ...fileNames.map(filePart)].map((line) => `    ${line},`),
    '    f"--{boundary}--\\r\\n".encode(),',
    "])",
  ];
}

function pythonName(name: string): string {
  return python(`name="${quotedInForm(name)}"`);
}

/** As browsers write names in forms. */
function quotedInForm(name: string): string {
  return name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

/** As Python writes it: other words than JSON has, and no halves of surrogate pairs. */
function python(value: unknown, depth = 0): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return pythonText(value);
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = "  ".repeat(depth + 1);
  const items = Array.isArray(value)
    ? value.map((item) => inner + python(item, depth + 1))
    : Object.entries(value).map(([name, item]) => `${inner}${pythonText(name)}: ${python(item, depth + 1)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return items.length === 0 ? `${open}${close}` : `${open}\n${items.join(",\n")},\n${"  ".repeat(depth)}${close}`;
}

function pythonText(text: string): string {
  // JSON's escapes are Python's; what it leaves as it is, Python reads as it is.
  return JSON.stringify(text);
}
