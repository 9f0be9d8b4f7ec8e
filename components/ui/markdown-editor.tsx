"use client";

import { useDeferredValue, useState } from "react";
import { CodeEditor, type CodeEditorProps } from "@/components/ui/code-editor";
import { MarkdownView } from "@/components/ui/markdown-view";

type Side = "text" | "preview";

const SIDES: { id: Side; name: string }[] = [
  { id: "text", name: "Write" },
  { id: "preview", name: "Preview" },
];

/** Of a long text the beginning is enough to see how it looks; all of it would keep the browser busy at every key. */
const PREVIEW_CHARACTERS = 20_000;

/** Markdown beside its preview; one of both at a time where there is no room for two. */
export function MarkdownEditor({ onChange, ...editor }: CodeEditorProps) {
  const [text, setText] = useState(editor.defaultValue);
  const [side, setSide] = useState<Side>("text");
  const preview = useDeferredValue(text);
  return (
    <div>
      <div className="mb-2 flex gap-1 lg:hidden">
        {SIDES.map(({ id, name }) => (
          <button
            aria-pressed={side === id}
            className="h-7 rounded-md px-2.5 text-code text-muted aria-pressed:bg-default aria-pressed:font-medium aria-pressed:text-foreground"
            key={id}
            onClick={() => setSide(id)}
            type="button"
          >
            {name}
          </button>
        ))}
      </div>
      <div className="grid gap-4 lg:grid-cols-2">
        <div className={side === "text" ? "min-w-0" : "hidden min-w-0 lg:block"}>
          <CodeEditor
            {...editor}
            onChange={(value) => {
              setText(value);
              onChange?.(value);
            }}
          />
        </div>
        <section
          aria-label={`Preview of ${editor.label}`}
          className={`max-h-[70vh] min-w-0 overflow-y-auto rounded-lg border border-border px-4 py-3 ${side === "preview" ? "" : "hidden lg:block"}`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the focus to be scrolled by keyboard
          tabIndex={0}
        >
          {/* Headings of the text stand below this one. */}
          <h2 className="sr-only">Preview of {editor.label}</h2>
          <Preview text={preview} />
        </section>
      </div>
    </div>
  );
}

function Preview({ text }: { text: string }) {
  if (text.trim() === "") return <p className="text-muted">Nothing to preview yet.</p>;
  if (text.length <= PREVIEW_CHARACTERS) return <MarkdownView text={text} />;
  return (
    <>
      <MarkdownView text={text.slice(0, PREVIEW_CHARACTERS)} />
      <p className="mt-4 text-code text-muted">The preview ends here; the text goes on.</p>
    </>
  );
}
