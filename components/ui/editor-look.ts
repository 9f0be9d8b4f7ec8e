import type { DecorationSet, EditorView as View } from "@codemirror/view";
import { Decoration, EditorView, MatchDecorator, ViewPlugin, type ViewUpdate } from "@codemirror/view";

/** The editor in the colours and type of app/tokens.css, so that one theme serves light and dark. */
export const EDITOR_LOOK = EditorView.theme({
  "&": { backgroundColor: "transparent", color: "var(--foreground)", fontSize: "0.8125rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-geist-mono), ui-monospace, monospace", lineHeight: "1.25rem" },
  ".cm-content": { padding: "10px 0", caretColor: "var(--foreground)" },
  ".cm-line": { padding: "0 12px" },
  ".cm-cursor": { borderLeftColor: "var(--foreground)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in oklab, var(--accent) 25%, transparent)",
  },
  ".cm-placeholder-name": {
    color: "var(--accent-text)",
    backgroundColor: "color-mix(in oklab, var(--accent) 12%, transparent)",
    borderRadius: "4px",
  },
  ".cm-strong": { fontWeight: "600" },
  ".cm-panels": { backgroundColor: "var(--surface-secondary)", color: "var(--foreground)" },
});

/** `{{name}}` as templates know it (lib/domain/template-render.ts), headings, and bold text. */
const MARKS = /\{\{[ \t]*[\p{L}\p{M}\p{N}_.-]+[ \t]*\}\}|^#{1,6} .*$|\*\*[^*\n]+\*\*/gu;
const PLACEHOLDER = Decoration.mark({ class: "cm-placeholder-name" });
const STRONG = Decoration.mark({ class: "cm-strong" });

const matcher = new MatchDecorator({
  regexp: MARKS,
  decoration: ([text]) => (text.startsWith("{{") ? PLACEHOLDER : STRONG),
});

/** Marks what the eye looks for; redraws no more than what changed or came into view. */
export const markText = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: View) {
      this.decorations = matcher.createDeco(view);
    }

    update(update: ViewUpdate) {
      this.decorations = matcher.updateDeco(update, this.decorations);
    }
  },
  { decorations: ({ decorations }) => decorations },
);
