import { decodeText, findEncoding } from "@/lib/ai/files/decode-text";

/** One part of a mail as it was sent: what it says of itself, and its body, a character for a byte. */
export interface MailPart {
  headers: Map<string, string>;
  body: string;
  /** "text/plain" and the like, in small letters. */
  type: string;
  charset: string;
  boundary?: string;
  isAttachment: boolean;
  /** Of an attachment, as its sender named it. */
  fileName: string;
}

const MAX_HEADER_CHARACTERS = 64 * 1024;
const MAX_PARTS = 1_000;

/** @param source a character for a byte */
export function readMailPart(source: string): MailPart {
  const { index = source.length, 0: gap = "" } = /^\r?\n|\r?\n\r?\n/.exec(source.slice(0, MAX_HEADER_CHARACTERS)) ?? {};
  const headers = readHeaders(source.slice(0, Math.min(index, MAX_HEADER_CHARACTERS)));
  const [type = "", content] = readField(headers.get("content-type") ?? "text/plain");
  const [disposition = "", more] = readField(headers.get("content-disposition") ?? "");
  return {
    headers,
    body: source.slice(index + gap.length),
    type,
    charset: headers.get("content-type") ?? "",
    boundary: content.get("boundary"),
    isAttachment: disposition === "attachment",
    fileName: nameOf(more, "filename") ?? nameOf(content, "name") ?? "",
  };
}

/** By their names in small letters; those of one name that come later are left out. */
function readHeaders(block: string): Map<string, string> {
  const headers = new Map<string, string>();
  for (const line of block.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
    const [, name, value] = /^([!-9;-~]{1,100}):(.*)$/.exec(line) ?? [];
    if (name && !headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), value?.trim() ?? "");
  }
  return headers;
}

/** The first word of a header in small letters, and its parameters. */
function readField(header: string): [string, Map<string, string>] {
  const parameters = new Map<string, string>();
  for (const [, name = "", quoted, plain] of header.matchAll(/;\s*([\w*-]{1,60})=(?:"([^"]*)"|([^\s;]*))/g)) {
    parameters.set(name.toLowerCase(), quoted ?? plain ?? "");
  }
  return [/^[^\s;]*/.exec(header)?.[0].toLowerCase() ?? "", parameters];
}

/** Long names and those of other letters come in numbered pieces, with their encoding in front. */
function nameOf(parameters: Map<string, string>, key: string): string | undefined {
  const plain = parameters.get(key);
  if (plain !== undefined) return decodeWords(plain);
  let text = parameters.get(`${key}*`) ?? "";
  for (let index = 0; index < 20; index++) {
    text += parameters.get(`${key}*${index}*`) ?? parameters.get(`${key}*${index}`) ?? "";
  }
  if (text === "") return undefined;
  const [, charset = "utf-8", value = text] = /^([\w-]*)'[^']*'(.*)$/.exec(text) ?? [];
  const bytes = value.replace(/%([0-9a-f]{2})/gi, (_escape, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return decodeBytes(Buffer.from(bytes, "latin1"), charset);
}

/** The parts between the lines of a boundary. */
export function splitParts(body: string, boundary: string): string[] {
  const mark = `--${boundary}`;
  const parts: string[] = [];
  let start = -1;
  for (let at = body.indexOf(mark); at !== -1 && parts.length < MAX_PARTS; at = body.indexOf(mark, at + mark.length)) {
    if (at > 0 && body[at - 1] !== "\n") continue;
    if (start !== -1) parts.push(body.slice(start, at).replace(/\r?\n$/, ""));
    start = body.startsWith("--", at + mark.length) ? -1 : body.indexOf("\n", at) + 1 || body.length;
  }
  // A mail may end without its last line.
  return start === -1 ? parts : [...parts, body.slice(start)];
}

/** The text of a part as its sender wrote it. */
export function decodeBody({ headers, body, charset }: MailPart): string {
  const bytes = unpack(body, headers.get("content-transfer-encoding")?.toLowerCase() ?? "");
  return decodeText(bytes, findEncoding(bytes, true, charset) ?? "utf-8");
}

function unpack(body: string, encoding: string): Buffer {
  if (encoding === "base64") return Buffer.from(body, "base64");
  return encoding === "quoted-printable" ? unquote(body) : Buffer.from(body, "latin1");
}

/** "=E4" is a byte, "=" at a line's end joins it to the next. */
function unquote(text: string): Buffer {
  const source = Buffer.from(text.replace(/=[ \t]*\r?\n/g, ""), "latin1");
  let length = 0;
  for (let index = 0; index < source.length; index++, length++) {
    const escaped = source[index] === 0x3d ? source.toString("latin1", index + 1, index + 3) : "";
    const isEscape = /^[0-9a-f]{2}$/i.test(escaped);
    source[length] = isEscape ? Number.parseInt(escaped, 16) : (source[index] ?? 0);
    if (isEscape) index += 2;
  }
  return source.subarray(0, length);
}

/** A header as people read it: words in other letters come as "=?utf-8?Q?...?=", which may end inside of a character. */
export function decodeWords(header: string): string {
  const joined = header.replace(/(\?=)\s+(?==\?)/g, "$1").slice(0, MAX_HEADER_CHARACTERS);
  const words = /=\?([\w-]{1,40})(?:\*[\w-]{1,20})?\?([bq])\?([^?\s]*)\?=/gi;
  let text = "";
  let end = 0;
  let pending: { charset: string; bytes: Buffer[] } | undefined;
  const flush = () => {
    if (pending) text += decodeBytes(Buffer.concat(pending.bytes), pending.charset);
    pending = undefined;
  };
  for (const match of joined.matchAll(words)) {
    const [word, charset = "", form = "", packed = ""] = match;
    if (match.index > end || charset.toLowerCase() !== pending?.charset) flush();
    text += plain(joined.slice(end, match.index));
    const bytes = /b/i.test(form) ? Buffer.from(packed, "base64") : unquote(packed.replaceAll("_", " "));
    pending ??= { charset: charset.toLowerCase(), bytes: [] };
    pending.bytes.push(bytes);
    end = match.index + word.length;
  }
  flush();
  return text + plain(joined.slice(end));
}

/** What nobody packed is ASCII, or whatever it looks like. */
function plain(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text;
  const bytes = Buffer.from(text, "latin1");
  return decodeText(bytes, findEncoding(bytes, true) ?? "windows-1252");
}

function decodeBytes(bytes: Buffer, charset: string): string {
  return decodeText(bytes, findEncoding(bytes, true, `; charset=${charset}`) ?? "utf-8");
}
