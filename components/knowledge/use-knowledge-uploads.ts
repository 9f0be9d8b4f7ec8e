import { useState } from "react";
import { KNOWLEDGE_ENDING } from "@/components/knowledge/knowledge-name";
import { formatBytes, formatNumber } from "@/components/ui/format-number";
import { readFile, UNREADABLE } from "@/components/ui/read-file";
import { useAttempt } from "@/components/ui/use-attempt";
import type { ActionFailure, ActionResult } from "@/lib/contracts/action-result";
import type { KnowledgeUpload } from "@/lib/contracts/knowledge";
import type { UploadKnowledgeInput } from "@/lib/contracts/knowledge-forms";

export interface KnowledgeUploadOptions {
  upload: (input: UploadKnowledgeInput) => Promise<ActionResult<KnowledgeUpload>>;
  /** Into which folder: "products/"; empty: none. */
  folder: string;
  maxBytes: number;
  /** At once; the others are named as not sent. */
  maxFiles: number;
}

/** How it stands with one file. */
export interface FileLine {
  name: string;
  state: "waiting" | "sending" | KnowledgeUpload["outcome"] | "refused";
  /** Why it was refused. */
  problem?: string;
}

/** Said in words for who has picked a document. */
const NO_MARKDOWN = `Only Markdown files are taken. Save its text as a file that ends in ${KNOWLEDGE_ENDING}, and upload that.`;
/** The reader signs in elsewhere and chooses it again: what they chose is gone from the field. */
const SIGNED_OUT: Partial<FileLine> = { state: "refused", problem: "Not sent: you are signed out." };
const UNREACHED = "The server could not be reached. Try this file again.";

/** What the service's fields are to who uploads: "content must not be empty" is theirs in these words. */
const FIELDS: Record<string, string> = { path: "Its path", content: "Its text", file: "It" };

/** Sends files one after another, and says how it stands with each; once the session has ended, none of the others. */
export function useKnowledgeUploads({ upload, folder, maxBytes, maxFiles }: KnowledgeUploadOptions) {
  const [lines, setLines] = useState<FileLine[]>([]);
  const [isSignedOut, setSignedOut] = useState(false);
  const attempt = useAttempt();

  const send = async (files: File[]) => {
    const late: Partial<FileLine> = {
      state: "refused",
      problem: `Not sent: ${formatNumber(maxFiles)} files are taken at once. Choose it again when these are done.`,
    };
    setLines(files.map(({ name }, at) => ({ name, state: "waiting", ...(at >= maxFiles && late) })));
    const set = (index: number, line: Partial<FileLine>) =>
      setLines((before) => before.map((known, at) => (at === index ? { ...known, ...line } : known)));
    setSignedOut(false);
    for (const [index, file] of files.slice(0, maxFiles).entries()) {
      set(index, { state: "sending" });
      const line = await sendFile((input) => attempt(() => upload(input)), `${folder}${file.name}`, file, maxBytes);
      set(index, line);
      if (line !== SIGNED_OUT) continue;
      setSignedOut(true);
      return setLines((before) => before.map((each) => (each.state === "waiting" ? { ...each, ...SIGNED_OUT } : each)));
    }
  };
  return { lines, isSignedOut, send };
}

async function sendFile(
  upload: (input: UploadKnowledgeInput) => Promise<ActionResult<KnowledgeUpload> | null>,
  path: string,
  file: File,
  maxBytes: number,
): Promise<Partial<FileLine>> {
  if (!file.name.endsWith(KNOWLEDGE_ENDING)) return { state: "refused", problem: NO_MARKDOWN };
  if (file.size > maxBytes) return { state: "refused", problem: `It has more than ${formatBytes(maxBytes)}.` };
  try {
    const bytes = await readFile(file);
    if (!bytes) return { state: "refused", problem: `It cannot be read: ${UNREADABLE}` };
    const result = await upload({ path, bytes });
    if (!result) return { state: "refused", problem: UNREACHED };
    if (!result.ok && result.code === "SIGNED_OUT") return SIGNED_OUT;
    return result.ok ? { state: result.data.outcome } : { state: "refused", problem: problemOf(result) };
  } catch {
    return { state: "refused", problem: UNREACHED };
  }
}

function problemOf({ message, fieldErrors = {} }: ActionFailure): string {
  const [field] = Object.entries(fieldErrors);
  const name = field && FIELDS[field[0]];
  return name && field[1].startsWith("must ") ? `${name} ${field[1]}.` : message;
}
