import { createHash } from "node:crypto";

/**
 * The form of a transcription: its text fields, and of its file `fileName`, `fileBytes`, `fileSha256` and `spoken`,
 * what the test model hears in it: the text between `{{say:` and `}}` (see sample-sound.ts).
 */
export function readSoundForm(bytes: Buffer, contentType = ""): Record<string, unknown> {
  const boundary = /boundary="?([^";]+)/.exec(contentType)?.[1] ?? "";
  const form: Record<string, unknown> = { spoken: "" };
  for (const part of splitParts(bytes, `--${boundary}`)) {
    const headEnd = part.indexOf("\r\n\r\n");
    const head = part.toString("utf8", 0, Math.max(0, headEnd));
    const content = part.subarray(headEnd + 4, part.length - 2);
    const name = /[; ]name="([^"]*)"/.exec(head)?.[1] ?? "";
    const fileName = /filename="([^"]*)"/.exec(head)?.[1];
    if (fileName === undefined) form[name] = content.toString("utf8");
    else Object.assign(form, describeFile(fileName, content));
  }
  return form;
}

function splitParts(bytes: Buffer, delimiter: string): Buffer[] {
  const parts: Buffer[] = [];
  for (let start = bytes.indexOf(delimiter); start >= 0; ) {
    const next = bytes.indexOf(delimiter, start + delimiter.length);
    if (next < 0) break;
    parts.push(bytes.subarray(start + delimiter.length + 2, next));
    start = next;
  }
  return parts;
}

function describeFile(fileName: string, content: Buffer) {
  const start = content.indexOf("{{say:");
  const end = content.indexOf("}}", start);
  const spoken = start < 0 || end < 0 ? "" : content.toString("utf8", start + "{{say:".length, end);
  const fileSha256 = createHash("sha256").update(content).digest("hex");
  return { fileName, fileBytes: content.length, fileSha256, spoken };
}
