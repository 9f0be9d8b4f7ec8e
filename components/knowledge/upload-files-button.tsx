"use client";

import { Button, Modal, ProgressBar, useOverlayState } from "@heroui/react";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { DialogButtons } from "@/components/ui/dialog-frame";
import { formatBytes, formatNumber } from "@/components/ui/format-number";
import { StatusDot } from "@/components/ui/status-dot";
import { useAttempt } from "@/components/ui/use-attempt";
import type { ActionFailure, ActionResult } from "@/lib/contracts/action-result";
import type { KnowledgeUpload } from "@/lib/contracts/knowledge";
import type { UploadKnowledgeInput } from "@/lib/contracts/knowledge-forms";

interface UploadFilesButtonProps {
  upload: (input: UploadKnowledgeInput) => Promise<ActionResult<KnowledgeUpload>>;
  /** Into which folder: "products/"; empty: none. */
  folder: string;
  maxBytes: number;
  /** At once; the others are named as not sent. */
  maxFiles: number;
}

/** How it stands with one file. */
interface FileLine {
  name: string;
  state: "waiting" | "sending" | KnowledgeUpload["outcome"] | "refused";
  /** Why it was refused. */
  problem?: string;
}

const WORDS: Record<FileLine["state"], { word: string; tone: "neutral" | "running" | "success" | "danger" }> = {
  waiting: { word: "waiting", tone: "neutral" },
  sending: { word: "uploading", tone: "running" },
  created: { word: "added", tone: "success" },
  changed: { word: "new version", tone: "success" },
  same: { word: "as it was", tone: "neutral" },
  refused: { word: "refused", tone: "danger" },
};
/** What the service wants of every name (`parseKnowledgePath`); said here in words for who has picked a document. */
const KNOWLEDGE_ENDING = ".md";
const NO_MARKDOWN = `Only Markdown files are taken. Save its text as a file that ends in ${KNOWLEDGE_ENDING}, and upload that.`;
const UNREACHED = "The server could not be reached. Try this file again.";

/** What the service's fields are to who uploads: "content must not be empty" is theirs in these words. */
const FIELDS: Record<string, string> = { path: "Its path", content: "Its text", file: "It" };

/**
 * Takes one or many .md files, one after another, and says what became of each. The page is drawn again once the reader has
 * seen it: the button whose dialog says so may be gone from the new page, as that of an empty list is.
 */
export function UploadFilesButton({ upload, folder, maxBytes, maxFiles }: UploadFilesButtonProps) {
  const field = useRef<HTMLInputElement>(null);
  const [lines, setLines] = useState<FileLine[]>([]);
  const router = useRouter();
  const dialog = useOverlayState();
  const attempt = useAttempt();
  const done = lines.filter(({ state }) => state !== "waiting" && state !== "sending").length;
  const refused = lines.filter(({ state }) => state === "refused").length;
  const isRunning = done < lines.length;

  const send = async (files: File[]) => {
    const late: Partial<FileLine> = {
      state: "refused",
      problem: `Not sent: ${formatNumber(maxFiles)} files are taken at once. Choose it again when these are done.`,
    };
    setLines(files.map(({ name }, at) => ({ name, state: "waiting", ...(at >= maxFiles && late) })));
    dialog.open();
    const set = (index: number, line: Partial<FileLine>) =>
      setLines((before) => before.map((known, at) => (at === index ? { ...known, ...line } : known)));
    for (const [index, file] of files.slice(0, maxFiles).entries()) {
      set(index, { state: "sending" });
      set(index, await sendFile((input) => attempt(() => upload(input)), `${folder}${file.name}`, file, maxBytes));
    }
  };
  const close = () => {
    dialog.close();
    router.refresh();
  };
  const standing = `${formatNumber(done)} of ${formatNumber(lines.length)} done${refused > 0 ? `, ${formatNumber(refused)} refused` : ""}`;

  return (
    <>
      <input
        accept={`${KNOWLEDGE_ENDING},text/markdown`}
        aria-label="Knowledge files"
        className="hidden"
        multiple
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          target.value = "";
          if (files.length > 0) void send(files);
        }}
        ref={field}
        type="file"
      />
      <Button onPress={() => field.current?.click()} size="sm" variant="outline">
        Upload files
      </Button>
      <Dialog
        isLocked={isRunning}
        state={{ ...dialog, setOpen: (isOpen) => (isOpen ? dialog.open() : close()) }}
        title="Upload files"
      >
        <Modal.Body className="grid gap-4">
          <ProgressBar aria-label="Files done" maxValue={Math.max(1, lines.length)} size="sm" value={done}>
            <span className="text-code text-muted">{standing}</span>
            <ProgressBar.Track>
              <ProgressBar.Fill />
            </ProgressBar.Track>
          </ProgressBar>
          {/* Read out once, at the end: the bar tells the way there. */}
          <p className="sr-only" role="status">
            {isRunning ? "" : standing}
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus to be scrolled by keyboard */}
          <section aria-label="What became of each" className="max-h-[50vh] overflow-y-auto" tabIndex={0}>
            <ul aria-label="Files" className="divide-y divide-separator text-code">
              {lines.map(({ name, state, problem }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name, and lines never move
                <li className="flex flex-wrap items-start justify-between gap-x-4 py-2" key={index}>
                  <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                    {folder}
                    {name}
                  </span>
                  <StatusDot status={state} tone={WORDS[state].tone} word={WORDS[state].word} />
                  {problem ? <span className="basis-full text-danger">{problem}</span> : null}
                </li>
              ))}
            </ul>
          </section>
        </Modal.Body>
        <DialogButtons>
          <Button isDisabled={isRunning} onPress={close} size="sm">
            Close
          </Button>
        </DialogButtons>
      </Dialog>
    </>
  );
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
    const result = await upload({ path, bytes: new Uint8Array(await file.arrayBuffer()) });
    if (!result) return { state: "refused", problem: UNREACHED };
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
