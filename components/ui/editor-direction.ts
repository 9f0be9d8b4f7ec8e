import { type Extension, RangeSetBuilder } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";

/** How lines of JSON, of code and of tables begin: they are read from the left, whatever their first letter is. */
const CODE = /^\s*[{}[\]"'`<|]/;
const PROSE = Decoration.line({ attributes: { dir: "auto" } });

/** Each line of prose from the side that its first letter is read from, Arabic and Hebrew from the right; the cursor goes that way too. */
export const readEachLine: Extension = [EditorView.perLineTextDirection.of(true), EditorView.decorations.of(markProse)];

/** Of the lines in view: no others are drawn. */
function markProse({ state: { doc }, visibleRanges }: EditorView): DecorationSet {
  const lines = new RangeSetBuilder<Decoration>();
  for (const { from, to } of visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = doc.lineAt(at);
      if (!CODE.test(line.text)) lines.add(line.from, line.from, PROSE);
      at = line.to + 1;
    }
  }
  return lines.finish();
}
