// Plain JavaScript, since a worker runs it from its source.
import { decompressRTF } from "@kenjiuno/decompressrtf";
import msgreader from "@kenjiuno/msgreader";
import { Output } from "../office/output.mjs";
import { readRtf } from "../office/rtf/read-rtf.mjs";

/** Of a text that stands as rich text alone. */
const MAX_RICH_CHARACTERS = 5_000_000;

/**
 * Adds a message of Outlook, and those in it, to what was found.
 * @param {{ mails: object[], pictures: number, attachments: { name: string, contentType: string, bytes?: Uint8Array }[], signed: { entry: object, bytes: Uint8Array }[] }} found
 *   `signed` takes the files of signed messages with what they belong to
 * @throws {Error} when it is damaged, or no message
 */
export function readOutlook(bytes, found, maxDepth) {
  let { reader, message } = open(bytes);
  const page = message.messageCodepage ?? message.internetCodepage;
  // Of programs before Unicode: their letters were read as those of the West.
  if (OLD_PAGES.has(page)) ({ reader, message } = open(bytes, `cp${page}`));
  addMessage(message, found, { reader, depth: 0, maxDepth });
}

const OLD_PAGES = new Set([874, 932, 936, 949, 950, 1250, 1251, 1253, 1254, 1255, 1256, 1257, 1258]);

function open(bytes, ansiEncoding) {
  const reader = new msgreader.default(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
  reader.parserConfig = { ansiEncoding };
  const message = reader.getFileData();
  if (message.error !== undefined || message.messageClass === undefined) throw new Error(message.error ?? "no message");
  return { reader, message };
}

function addMessage(message, found, { reader, depth, maxDepth }) {
  const { body = "", html, bodyHtml = "", compressedRtf, attachments = [] } = message;
  const page = html?.length > 0 ? html : bodyHtml;
  const text = page.length === 0 && body.trim() === "" && compressedRtf ? readRich(compressedRtf) : body;
  const entry = { fields: fieldsOf(message), page, text, isAttached: depth > 0, calendars: [] };
  found.mails.push(entry);
  for (const attachment of attachments) {
    const { innerMsgContentFields: inner } = attachment;
    const signed = SIGNED_CLASS.test(message.messageClass ?? "") ? bytesOf(attachment, reader) : undefined;
    if (signed) found.signed.push({ entry, bytes: signed });
    else if (inner && depth < maxDepth) addMessage(inner, found, { reader, depth: depth + 1, maxDepth });
    else note(attachment, found, reader);
  }
}

/** Of a message that is signed or encrypted: all that was written stands in the one file that it has. */
const SIGNED_CLASS = /\.SMIME(\.|$)/i;

/** A text as Outlook packs it. Programs on one server write to each other so. */
export function readRich(compressed) {
  const output = new Output(MAX_RICH_CHARACTERS);
  try {
    readRtf(Uint8Array.from(decompressRTF([...compressed])), output);
  } catch {
    // The fields are still there.
    return "";
  }
  return output.finish()[0]?.text ?? "";
}

function fieldsOf(message) {
  const to = (type) =>
    (message.recipients ?? []).filter(({ recipType = "to" }) => recipType === type).map((one) => person(one.name, one));
  return [
    ["From", person(message.senderName, { smtpAddress: message.senderSmtpAddress, email: message.senderEmail })],
    ["To", to("to").join(", ")],
    ["Cc", to("cc").join(", ")],
    ["Bcc", to("bcc").join(", ")],
    ["Date", message.clientSubmitTime ?? message.messageDeliveryTime],
    ["Subject", message.subject],
    ["Start", message.apptStartWhole],
    ["End", message.apptEndWhole],
    ["Location", message.apptLocation],
  ]
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}: ${value.replace(/\s+/g, " ").trim()}`)
    .join("\n");
}

/** Of people of one's own company there may be an address that only its server knows. */
function person(name = "", { smtpAddress, email }) {
  const address = [smtpAddress, email].find((one) => one?.includes("@") && !one.startsWith("/")) ?? "";
  if (address === "" || address === name) return name;
  return name === "" ? address : `${name} <${address}>`;
}

const PICTURE = /\.(png|jpe?g|gif|bmp|webp)$/i;

function note(attachment, found, reader) {
  const { fileName, fileNameShort, name, attachMimeTag = "", pidContentId, attachmentHidden } = attachment;
  const called = fileName ?? fileNameShort ?? name ?? `(${attachMimeTag || "unnamed"})`;
  if ((pidContentId || attachmentHidden) && PICTURE.test(called)) found.pictures += 1;
  else if (!attachMimeTag.endsWith("-signature")) {
    const bytes = bytesOf(attachment, reader);
    found.attachments.push({ name: called, contentType: attachMimeTag, ...(bytes && { bytes }) });
  }
}

/** Of a file that stands elsewhere there is but a link, and of a message too deep nothing that could be read. */
function bytesOf(attachment, reader) {
  try {
    return new Uint8Array(reader.getAttachment(attachment).content);
  } catch {
    return undefined;
  }
}
