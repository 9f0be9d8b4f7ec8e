// Reads one mail, in a thread that may be ended at any moment (see host-worker.mjs). Plain JavaScript, run from its source:
// bundlers would not know that it is a file of its own.
import { parentPort, workerData } from "node:worker_threads";
import PostalMime, { decodeWords } from "postal-mime";

/** Mails in mails; deeper ones are named as attachments. */
const MAX_DEPTH = 10;
const MAX_PART_DEPTH = 100;
const MAX_HEADERS_BYTES = 1024 * 1024;
const MAIL_TYPE = "message/rfc822";
const SHOWN_HEADERS = ["From", "Reply-To", "To", "Cc", "Bcc", "Date", "Subject"];

/** @returns the mail, or all of a mailbox, and those in it, in their order, and what came along and is not read */
async function readMails(bytes) {
  const found = { mails: [], pictures: 0, attachments: [] };
  for (const source of splitMailbox(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) {
    await readMail(source, found, 0);
  }
  return found;
}

/** Mailboxes have a line in front of each mail, and a mail that was taken out of one may have it still. */
function splitMailbox(bytes) {
  const source = bytes.toString("latin1");
  if (!source.startsWith("From ")) return [bytes];
  const mails = source.split(/\n\r?\n(?=From [^\n]{1,200}\n[!-9;-~]{1,100}:)/);
  return mails.map((mail) => Buffer.from(mail.slice(mail.indexOf("\n") + 1), "latin1"));
}

async function readMail(source, found, depth) {
  const mail = await PostalMime.parse(source, {
    forceRfc822Attachments: true,
    maxNestingDepth: MAX_PART_DEPTH,
    maxHeadersSize: MAX_HEADERS_BYTES,
  });
  found.mails.push({ fields: fieldsOf(mail), page: mail.html, text: mail.text ?? "", isAttached: depth > 0 });
  for (const attachment of mail.attachments) {
    if (attachment.mimeType === MAIL_TYPE && depth < MAX_DEPTH) await readMail(attachment.content, found, depth + 1);
    else note(attachment, found);
  }
}

function fieldsOf({ headers }) {
  return SHOWN_HEADERS.flatMap((name) => {
    const value = headers.find(({ key }) => key === name.toLowerCase())?.value;
    return value ? [`${name}: ${decodeWords(value).replace(/\s+/g, " ").trim()}`] : [];
  }).join("\n");
}

function note({ mimeType, disposition, filename, related }, found) {
  const isPicture = mimeType.startsWith("image/");
  if (isPicture && (related || disposition !== "attachment")) found.pictures += 1;
  // Signatures of senders say nothing.
  else if (!mimeType.endsWith("-signature")) found.attachments.push(filename ?? `(${mimeType})`);
}

try {
  parentPort.postMessage({ result: await readMails(workerData.bytes) });
} catch (error) {
  parentPort.postMessage({ failure: "broken", detail: String(error) });
}
