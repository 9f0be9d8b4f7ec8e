// Reads one mail, in a thread that may be ended at any moment (see host-worker.mjs). Plain JavaScript, run from its source:
// bundlers would not know that it is a file of its own.
import { parentPort, workerData } from "node:worker_threads";
import "../text/whole-letters.mjs";
import PostalMime, { decodeWords } from "postal-mime";
import { isCompound } from "../office/compound/compound.mjs";
import { isEncrypted, signedContent } from "../signed-content.mjs";
import { isWinmail } from "./is-winmail.mjs";
import { declareCharset, isGarbled, isMisnamed, toBytes, withoutMisnaming } from "./mail-charset.mjs";
import { readOldLetters, withKnownCharsets } from "./old-charsets.mjs";
import { readOutlook } from "./outlook-message.mjs";
import { readWinmail } from "./winmail.mjs";

/** Mails in mails; deeper ones are named as attachments. */
const MAX_DEPTH = 10;
const MAX_PART_DEPTH = 100;
const MAX_HEADERS_BYTES = 1024 * 1024;
const MAIL_TYPE = "message/rfc822";
const CALENDAR_TYPES = new Set(["text/calendar", "application/ics"]);
const SIGNED_TYPE = /^application\/(x-)?pkcs7-mime$/;
const MAX_CALENDAR_BYTES = 64 * 1024;
const SHOWN_HEADERS = ["From", "Reply-To", "To", "Cc", "Bcc", "Date", "Subject"];

/**
 * @param charset of texts that state none and are no UTF-8
 * @returns the mail, or all of a mailbox, and those in it, in their order, and what came along and is not read; without a
 * charset also the bytes of such texts
 */
async function readMails({ bytes, charset }) {
  const found = { mails: [], pictures: 0, attachments: [], signed: [], charset, letters: {}, undeclared: [] };
  if (isCompound(bytes)) {
    readOutlook(bytes, found, MAX_DEPTH);
    for (const { entry, bytes: file } of found.signed) await readSignedFile(file, entry, found);
  } else if (isWinmail(bytes)) {
    const entry = { fields: "", page: "", text: "", isAttached: false, calendars: [] };
    found.mails.push(entry);
    addWinmail(bytes, entry, found, 0);
  } else
    for (const source of splitMailbox(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) {
      await readMail(source, found, 0);
    }
  const { mails, pictures, attachments, undeclared } = found;
  return { mails, pictures, attachments, ...(undeclared.length > 0 && { undeclared: Buffer.concat(undeclared) }) };
}

/**
 * Mailboxes have a line in front of each mail, and a mail that was taken out of one may have it still. Apple's programs write how
 * many bytes a mail has, and what they know of it behind it.
 */
function splitMailbox(bytes) {
  const counted = /^(\d{1,10})[ \t]*\r?\n/.exec(bytes.toString("latin1", 0, 20));
  if (counted) return [bytes.subarray(counted[0].length, counted[0].length + Number(counted[1]))];
  const source = bytes.toString("latin1");
  if (!source.startsWith("From ")) return [bytes];
  const mails = source.split(/\n\r?\n(?=From [^\n]{1,200}\n[!-9;-~]{1,100}:)/);
  return mails.map((mail) => Buffer.from(mail.slice(mail.indexOf("\n") + 1), "latin1"));
}

async function readMail(sent, found, depth) {
  const source = await withKnownCharsets(sent, found.letters);
  const mail = await parse(source);
  const [fields, page, text] = await readTexts(mail, source, found);
  const entry = { fields, page, text, isAttached: depth > 0, calendars: [] };
  found.mails.push(entry);
  await readAttachments(mail, entry, found, depth);
}

async function readAttachments({ attachments }, entry, found, depth) {
  for (const attachment of attachments) {
    const { mimeType, content } = attachment;
    const signed = SIGNED_TYPE.test(mimeType) && depth < MAX_DEPTH ? signedContent(new Uint8Array(content)) : undefined;
    if (signed) await readSigned(signed, entry, found, depth + 1);
    else if (isWinmail(new Uint8Array(content))) addWinmail(new Uint8Array(content), entry, found, depth);
    else if (mimeType === MAIL_TYPE && depth < MAX_DEPTH) await readMail(Buffer.from(content), found, depth + 1);
    else if (CALENDAR_TYPES.has(mimeType) && content.byteLength <= MAX_CALENDAR_BYTES) {
      // Many programs send an invitation twice: as a part of the text, and as a file.
      const calendar = Buffer.from(content).toString().trim();
      if (!entry.calendars.includes(calendar)) entry.calendars.push(calendar);
    } else note(attachment, found);
  }
}

const BEGINS_WITH_FIELDS = /^\s*[!-9;-~]{1,100}:/;

/** Of a signed message: a mail with its signature beside it, or in it. */
function readSignedFile(bytes, entry, found) {
  const source = signedContent(bytes) ?? Buffer.from(bytes);
  if (BEGINS_WITH_FIELDS.test(source.toString("latin1", 0, 200))) return readSigned(source, entry, found, 1);
  found.attachments.push({ name: isEncrypted(bytes) ? "smime.p7m (encrypted)" : "smime.p7m", contentType: "", bytes });
}

/** A mail in its signature holds all its parts there: they are its own. */
async function readSigned(sent, entry, found, depth) {
  const source = await withKnownCharsets(sent, found.letters);
  const mail = await parse(source);
  const [, page, text] = await readTexts(mail, source, found);
  entry.page ||= page;
  entry.text ||= text;
  await readAttachments(mail, entry, found, depth);
}

/** Its text counts where its mail has none: mostly it is the same once more. */
function addWinmail(bytes, entry, found, depth) {
  const { subject, sender, page, text, files } = readWinmail(bytes);
  if (entry.fields === "")
    entry.fields = fieldLines([
      ["From", sender],
      ["Subject", subject],
    ]);
  if (entry.page.length === 0 && entry.text.trim() === "") Object.assign(entry, { page, text });
  for (const file of files) {
    if (isWinmail(file.bytes) && depth < MAX_DEPTH) {
      const inner = { fields: "", page: "", text: "", isAttached: true, calendars: [] };
      found.mails.push(inner);
      addWinmail(file.bytes, inner, found, depth + 1);
    } else found.attachments.push(file);
  }
}

const fieldLines = (fields) => fields.flatMap(([name, value]) => (value ? [`${name}: ${value}`] : [])).join("\n");

function parse(source) {
  return PostalMime.parse(source, {
    forceRfc822Attachments: true,
    maxNestingDepth: MAX_PART_DEPTH,
    maxHeadersSize: MAX_HEADERS_BYTES,
  });
}

function fieldsOf({ headers }) {
  return SHOWN_HEADERS.flatMap((name) => {
    const value = headers.find(({ key }) => key === name.toLowerCase())?.value;
    return value ? [`${name}: ${decodeWords(value).replace(/\s+/g, " ").trim()}`] : [];
  }).join("\n");
}

/** Its fields, its page and its plain text. */
const textsOf = (mail) => [fieldsOf(mail), mail.html ?? "", mail.text ?? ""];

/** All that a mail says, in the letters that it is in. */
async function readTexts(mail, source, found) {
  const [fields, ...texts] = await readCharsets(mail, source, found);
  const read = [fields, ...texts.map((text) => readOldLetters(text, found.letters))];
  return read.map((text) => withoutMisnaming(text, source));
}

/** What states no charset, or UTF-8, is read anew where it is none; the rest of the mail stays as it was read. */
async function readCharsets(mail, source, found) {
  const texts = textsOf(mail);
  if (!texts.some(isGarbled)) return texts;
  // In Windows-1252 each byte is a character: from these the bytes are known again.
  const other = declareCharset(source, found.charset ?? "windows-1252", texts.some(isMisnamed));
  const declared = textsOf(await parse(other));
  return texts.map((text, index) => {
    const anew = declared[index];
    if (!isGarbled(text) || anew === text) return text;
    if (!found.charset) found.undeclared.push(toBytes(`${anew}\n`));
    return anew;
  });
}

function note({ mimeType, disposition, filename, related, content }, found) {
  const isPicture = mimeType.startsWith("image/");
  if (isPicture && (related || disposition !== "attachment")) found.pictures += 1;
  // Signatures of senders say nothing.
  else if (!mimeType.endsWith("-signature")) {
    const isLocked = isEncrypted(new Uint8Array(content));
    found.attachments.push({
      name: `${filename ?? `(${mimeType})`}${isLocked ? " (encrypted)" : ""}`,
      contentType: mimeType,
      bytes: new Uint8Array(content),
    });
  }
}

try {
  parentPort.postMessage({ result: await readMails(workerData) });
} catch (error) {
  parentPort.postMessage({ failure: "broken", detail: String(error) });
}
