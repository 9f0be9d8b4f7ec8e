"use client";

import { Button } from "@heroui/react";
import { useRef } from "react";
import { formatBytes } from "@/components/ui/format-number";
import { readFile, UNREADABLE } from "@/components/ui/read-file";
import { showFailure } from "@/components/ui/toasts";
import { useAction } from "@/components/ui/use-action";
import { useGoOn } from "@/components/ui/use-go-on";
import { useOnce } from "@/components/ui/use-once";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { UploadTemplateInput } from "@/lib/contracts/template-forms";

interface UploadTemplateButtonProps {
  upload: (input: UploadTemplateInput) => Promise<ActionResult<{ id: string }>>;
  path: string;
  maxBytes: number;
}

/** Makes a template of a .md or .txt file and opens it. */
export function UploadTemplateButton({ upload, path, maxBytes }: UploadTemplateButtonProps) {
  const field = useRef<HTMLInputElement>(null);
  const goOn = useGoOn();
  const { run, isPending } = useAction(useOnce(upload), {
    success: "Template made of the file",
    onDone: ({ id }) => goOn(`${path}/${id}`),
  });
  const take = async (file: File) => {
    if (file.size > maxBytes)
      return showFailure("That file is too large", `A template has at most ${formatBytes(maxBytes)}.`);
    const bytes = await readFile(file);
    if (!bytes) return showFailure("That file cannot be read", `Perhaps ${UNREADABLE}`);
    run({ fileName: file.name, bytes });
  };
  return (
    <>
      <input
        accept=".md,.txt"
        aria-label="Template file"
        className="hidden"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = "";
          if (file) void take(file);
        }}
        ref={field}
        type="file"
      />
      <Button isPending={isPending} onPress={() => field.current?.click()} size="sm" variant="outline">
        Upload a file
      </Button>
    </>
  );
}
