"use client";

import { FormError } from "@/components/ui/form-error";
import { useCutPaste } from "@/components/ui/use-cut-paste";

const FIELD =
  "w-full min-w-0 rounded-md border border-field-border bg-field px-2.5 py-1.5 text-code outline-none placeholder:text-muted focus:border-focus focus:ring-1 focus:ring-focus";
const MAX_MESSAGE_CHARACTERS = 100_000;

interface ValueFieldProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
  /** The variable's default. */
  fallback: string | undefined;
  /** Whether the text has a place for it: an example may have values of what the text says no more. */
  isInText: boolean;
}

/** What a trial passes for a variable. */
export function ValueField({ name, value, onChange, fallback, isInText }: ValueFieldProps) {
  return (
    <label className="grid gap-1">
      <span className="text-code [overflow-wrap:anywhere]">
        <span className="font-mono">{name}</span>
        {isInText ? null : <span className="text-muted"> (not in the text)</span>}
      </span>
      <textarea
        className={FIELD}
        dir="auto"
        onChange={({ target }) => onChange(target.value)}
        placeholder={fallback ?? "A value"}
        rows={1}
        value={value}
      />
    </label>
  );
}

interface MessageFieldProps {
  /** Whether the text has a place for it. */
  isInText: boolean;
  value: string;
  onChange: (message: string) => void;
}

/** What a trial sends beside the template. */
export function MessageField({ isInText, value, onChange }: MessageFieldProps) {
  const { words, ...cut } = useCutPaste(MAX_MESSAGE_CHARACTERS);
  return (
    <label className="grid gap-1">
      <span className="text-code">
        Message <span className="text-muted">{isInText ? "" : "(follows the text)"}</span>
      </span>
      <textarea
        {...cut}
        className={FIELD}
        dir="auto"
        maxLength={MAX_MESSAGE_CHARACTERS}
        onChange={({ target }) => onChange(target.value)}
        rows={2}
        value={value}
      />
      <FormError text={words} />
    </label>
  );
}
