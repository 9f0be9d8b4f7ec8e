import type { DecorationSet, EditorView as View } from "@codemirror/view";
import { Decoration, EditorView, MatchDecorator, ViewPlugin, type ViewUpdate } from "@codemirror/view";

const CONTROL = {
  height: "28px",
  padding: "0 10px",
  color: "var(--foreground)",
  border: "1px solid var(--border)",
  borderRadius: "6px",
};

/** The editor in the colours and type of app/tokens.css, so that one theme serves light and dark. */
export const EDITOR_LOOK = EditorView.theme({
  "&": { backgroundColor: "transparent", color: "var(--foreground)", fontSize: "0.8125rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    flexGrow: "1",
    fontFamily: "var(--font-geist-mono), ui-monospace, monospace",
    lineHeight: "1.25rem",
  },
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
  // Ctrl-F: the library's own colours are those of a light page.
  ".cm-panels": { backgroundColor: "var(--surface-secondary)", color: "var(--foreground)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--separator)" },
  ".cm-panel.cm-search": { padding: "8px 36px 8px 12px", fontFamily: "var(--font-sans)" },
  ".cm-panel.cm-search label, .cm-textfield, .cm-button": { fontSize: "0.8125rem" },
  ".cm-textfield": { ...CONTROL, backgroundColor: "var(--field-background)", borderColor: "var(--field-border)" },
  ".cm-textfield::placeholder": { color: "var(--muted)", opacity: "1" },
  ".cm-button, .cm-button:active": { ...CONTROL, backgroundColor: "var(--surface)", backgroundImage: "none" },
  ".cm-button:hover": { backgroundColor: "var(--default)" },
  ".cm-panel.cm-search [name=close]": { top: "8px", right: "8px", width: "28px", height: "28px", fontSize: "1.125rem" },
  ".cm-searchMatch": { backgroundColor: "color-mix(in oklab, var(--warning) 30%, transparent)" },
  ".cm-searchMatch.cm-searchMatch-selected": {
    backgroundColor: "color-mix(in oklab, var(--warning) 60%, transparent)",
  },
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
