/** Whether a text begins as mails do: with the fields of one, and such as only machines write. */
export function looksLikeMail(text: string): boolean {
  const head = headOf(text);
  return (
    head !== undefined &&
    /^From:/im.test(head) &&
    /^(MIME-Version|Received|Message-ID|Return-Path|Content-Type|Content-Transfer-Encoding):/im.test(head)
  );
}

/**
 * Whether a text begins as pages do that were saved with their pictures (MHT): Word and wikis write them, also under the name of
 * a Word document. They are built as mails are, and nobody sent them.
 */
export function looksLikeWebArchive(text: string): boolean {
  const head = headOf(text);
  return (
    head !== undefined &&
    /^MIME-Version:/im.test(head) &&
    /^Content-Type:[ \t\r\n]*(multipart\/(related|alternative|mixed)|text\/html)\b/im.test(head)
  );
}

/** Whether a text is what a mail holds without who sent it: its parts with their own fields alone, as a signature has them in it. */
export function looksLikeMailParts(text: string): boolean {
  const head = headOf(text);
  return head !== undefined && /^Content-Type:[ \t\r\n]*(multipart|text|application|message)\//im.test(head);
}

/** Behind the line of a mailbox, or the count of bytes that Apple's programs write in front of a mail (EMLX). */
function headOf(text: string): string | undefined {
  return /^(?:From [^\n]*\n|\d{1,10}[ \t]*\r?\n)?((?:[!-9;-~]{1,100}:[^\n]*\n(?:[ \t][^\n]*\n)*)+)\r?\n/.exec(
    text,
  )?.[1];
}

/** Whether it may be many mails one behind the other: mailboxes have a line in front of each. */
export function isMailbox(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 5)).toString("latin1") === "From ";
}
