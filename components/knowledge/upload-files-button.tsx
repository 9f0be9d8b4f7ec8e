"use client";

import { Button, Modal, ProgressBar, useOverlayState } from "@heroui/react";
import { useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef } from "react";
import { KNOWLEDGE_ENDING } from "@/components/knowledge/knowledge-name";
import {
  type FileLine,
  type KnowledgeUploadOptions,
  useKnowledgeUploads,
} from "@/components/knowledge/use-knowledge-uploads";
import { Dialog } from "@/components/ui/dialog";
import { DialogButtons } from "@/components/ui/dialog-frame";
import { FormError } from "@/components/ui/form-error";
import { formatNumber } from "@/components/ui/format-number";
import { refreshWhenThere } from "@/components/ui/refresh-when-there";
import { SIGNED_OUT, signInLink } from "@/components/ui/signed-out";
import { StatusDot } from "@/components/ui/status-dot";

const WORDS: Record<FileLine["state"], { word: string; tone: "neutral" | "running" | "success" | "danger" }> = {
  waiting: { word: "waiting", tone: "neutral" },
  sending: { word: "uploading", tone: "running" },
  created: { word: "added", tone: "success" },
  changed: { word: "new version", tone: "success" },
  same: { word: "as it was", tone: "neutral" },
  refused: { word: "refused", tone: "danger" },
};

/**
 * Takes one or many .md files, one after another, and says what became of each. The page is drawn again once the reader has
 * seen it: the button whose dialog says so may be gone from the new page, as that of an empty list is.
 */
export function UploadFilesButton(props: KnowledgeUploadOptions) {
  const field = useRef<HTMLInputElement>(null);
  const router = useRouter();
  const dialog = useOverlayState();
  const { lines, isSignedOut, send } = useKnowledgeUploads(props);
  const isRunning = lines.some(({ state }) => isOpen(state));
  const close = () => {
    dialog.close();
    // Who just read that the service is not reached keeps the page.
    void refreshWhenThere(router, () => true);
  };
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
          if (files.length === 0) return;
          dialog.open();
          void send(files);
        }}
        ref={field}
        type="file"
      />
      <Button onPress={() => field.current?.click()} size="sm" variant="outline">
        Upload files
      </Button>
      <Dialog
        isLocked={isRunning}
        state={{ ...dialog, setOpen: (isShown) => (isShown ? dialog.open() : close()) }}
        title="Upload files"
      >
        <Modal.Body className="grid gap-4">
          <TakeFocus />
          <Progress lines={lines} />
          <FormError text={isSignedOut ? signInToUpload() : null} />
          <FileLines folder={props.folder} lines={lines} />
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

/**
 * The library waits for a transition to end before it moves the focus to a dialog that a script opened, as a choice of files does;
 * where the reader wants no motion there is none, and the keyboard would stand nowhere.
 */
function TakeFocus() {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => place.current?.closest<HTMLElement>("[data-dialog]")?.focus({ preventScroll: true }), []);
  return <span hidden ref={place} />;
}

function signInToUpload(): ReactNode {
  return (
    <>
      {SIGNED_OUT}. {signInLink()}, then close this and choose again what was not sent.
    </>
  );
}

function isOpen(state: FileLine["state"]): boolean {
  return state === "waiting" || state === "sending";
}

/** How many are done; read out once, at the end: the bar tells the way there. */
function Progress({ lines }: { lines: FileLine[] }) {
  const done = lines.filter(({ state }) => !isOpen(state)).length;
  const refused = lines.filter(({ state }) => state === "refused").length;
  const standing = `${formatNumber(done)} of ${formatNumber(lines.length)} done${refused > 0 ? `, ${formatNumber(refused)} refused` : ""}`;
  return (
    <>
      <ProgressBar aria-label="Files done" maxValue={Math.max(1, lines.length)} size="sm" value={done}>
        <span className="text-code text-muted">{standing}</span>
        <ProgressBar.Track>
          <ProgressBar.Fill />
        </ProgressBar.Track>
      </ProgressBar>
      <p className="sr-only" role="status">
        {done < lines.length ? "" : standing}
      </p>
    </>
  );
}

function FileLines({ folder, lines }: { folder: string; lines: FileLine[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus to be scrolled by keyboard
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
  );
}
