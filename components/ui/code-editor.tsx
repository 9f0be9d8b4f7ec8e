"use client";

import {
  type ComponentType,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { readDraft, takeDraft, type WrittenDraft, writeDraft } from "@/components/ui/early-draft";
import { FormError } from "@/components/ui/form-error";
import { formatNumber } from "@/components/ui/format-number";
import type { LoadedEditorProps } from "@/components/ui/loaded-editor";
import { useCutPaste } from "@/components/ui/use-cut-paste";

export interface CodeEditorProps {
  /** For screen readers; a visible label stands outside, when there is one. */
  label: string;
  /** The text at first; afterwards the editor has it. */
  defaultValue: string;
  onChange?: (value: string) => void;
  /** Lines shown at least, and the fixed height in lines of the plain field. */
  lines?: number;
  maxLength?: number;
  isReadOnly?: boolean;
}

const LINE_PX = 20;
const PADDING_PX = 20;

/**
 * An editor for Markdown and templates, with `{{placeholders}}` marked. Its code comes when the page is there; until
 * then, and without scripts, it is a plain field of the same size. What is written in that field is kept: its text, its
 * selection and the focus go over to the editor.
 */
export function CodeEditor({
  label,
  defaultValue,
  onChange,
  lines = 12,
  maxLength,
  isReadOnly = false,
}: CodeEditorProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [early] = useState(() => readDraft(id, defaultValue));
  const [value, setValue] = useState(early?.text ?? defaultValue);
  const [isRefused, setRefused] = useState(false);
  const refuse = useCallback(() => setRefused(true), []);
  const { words: cutWords, ...pasting } = useCutPaste(maxLength);
  // The editor, which knows nothing of the paste, may have taken the field's place.
  const keptWords = value.length === maxLength ? cutWords : null;
  const change = (next: string) => {
    setValue(next);
    setRefused(false);
    onChange?.(next);
  };
  const loaded = useLoadedEditor(field);
  useRestoredDraft(field, early, change);
  const height = lines * LINE_PX + PADDING_PX;
  return (
    <div className="overflow-hidden rounded-lg border border-field-border bg-field focus-within:border-focus focus-within:ring-1 focus-within:ring-focus">
      {loaded ? (
        <loaded.Editor
          begin={loaded.begin}
          height={height}
          isReadOnly={isReadOnly}
          label={label}
          maxLength={maxLength}
          onChange={change}
          onRefused={refuse}
          value={value}
        />
      ) : (
        <textarea
          aria-label={label}
          autoComplete="off"
          className="block w-full resize-none bg-transparent px-3 py-2.5 font-mono text-code outline-none"
          defaultValue={defaultValue}
          id={id}
          maxLength={maxLength}
          onChange={(event) => change(event.target.value)}
          readOnly={isReadOnly}
          ref={field}
          spellCheck={false}
          style={{ height }}
          {...pasting}
        />
      )}
      <FormError
        className="border-separator border-t px-3 py-1.5"
        text={isRefused ? refusedWords(maxLength) : keptWords}
      />
    </div>
  );
}

const refusedWords = (maxLength = 0) => `Not taken in: a text has at most ${formatNumber(maxLength)} characters here.`;

interface Loaded {
  Editor: ComponentType<LoadedEditorProps>;
  /** Where the reader was in the plain field. */
  begin: WrittenDraft;
}

/** The editor once its code is there; a word that is being composed (IME) in the plain field is finished first. */
function useLoadedEditor(field: RefObject<HTMLTextAreaElement | null>): Loaded | null {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  useLayoutEffect(() => {
    const plain = field.current;
    if (!plain) return;
    let isComposing = false;
    let Editor: Loaded["Editor"] | undefined;
    const replace = () => {
      if (!Editor || isComposing || !plain.isConnected) return;
      const next = { Editor, begin: takeDraft(plain) };
      // At once: a key pressed between the two would be lost.
      flushSync(() => setLoaded(next));
    };
    const follow = ({ type }: CompositionEvent) => {
      isComposing = type === "compositionstart";
      replace();
    };
    plain.addEventListener("compositionstart", follow);
    plain.addEventListener("compositionend", follow);
    import("@/components/ui/loaded-editor").then(
      ({ LoadedEditor }) => {
        Editor = LoadedEditor;
        replace();
      },
      // Without it the plain field stays, and all can be written and saved.
      () => {},
    );
    return () => {
      Editor = undefined;
      plain.removeEventListener("compositionstart", follow);
      plain.removeEventListener("compositionend", follow);
    };
  }, [field]);
  return loaded;
}

/** Puts back what was written before React took the field over, and tells of it. */
function useRestoredDraft(
  field: RefObject<HTMLTextAreaElement | null>,
  early: WrittenDraft | null,
  change: (text: string) => void,
) {
  useLayoutEffect(() => {
    if (field.current && early) writeDraft(field.current, early);
  }, [field, early]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, of what was there at first
  useEffect(() => {
    if (early) change(early.text);
  }, [early]);
}
