"use client";

import { markdown } from "@codemirror/lang-markdown";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import CodeMirror from "@uiw/react-codemirror";
import { useMemo } from "react";
import type { WrittenDraft } from "@/components/ui/early-draft";
import { readEachLine } from "@/components/ui/editor-direction";
import { EDITOR_LOOK, markText } from "@/components/ui/editor-look";

export interface LoadedEditorProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** In pixels. */
  height: number;
  maxLength: number | undefined;
  /** Of a change that would have made the text longer than that. */
  onRefused: () => void;
  isReadOnly: boolean;
  /** Where the reader was in the plain field that stood here. */
  begin: WrittenDraft;
}

/** What CodeMirror would bind or draw beyond an editor of plain texts. */
const SETUP = {
  lineNumbers: false,
  foldGutter: false,
  highlightActiveLine: false,
  highlightActiveLineGutter: false,
  highlightSelectionMatches: false,
  autocompletion: false,
  bracketMatching: false,
  closeBrackets: false,
  syntaxHighlighting: false,
};

/** A picture or a file has no text: what is marked stays, as in a plain field. CodeMirror would put nothing in its place. */
const PASTES_TEXT_ALONE = EditorView.domEventHandlers({
  paste: ({ clipboardData }) =>
    clipboardData !== null && !clipboardData.getData("text/plain") && !clipboardData.getData("text/uri-list"),
});

/** CodeMirror; its only importer loads it late (code-editor.tsx). Tab leaves the field, as everywhere. */
export function LoadedEditor(props: LoadedEditorProps) {
  const { label, value, onChange, height, maxLength, onRefused, isReadOnly, begin } = props;
  const extensions = useMemo(() => {
    const list: Extension[] = [
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "false" }),
      EditorView.cspNonce.of(pageNonce()),
      markdown(),
      markText,
      readEachLine,
      PASTES_TEXT_ALONE,
    ];
    if (maxLength !== undefined) list.push(refuseBeyond(maxLength, onRefused));
    return list;
  }, [label, maxLength, onRefused]);
  return (
    <CodeMirror
      basicSetup={SETUP}
      extensions={extensions}
      indentWithTab={false}
      minHeight={`${height}px`}
      maxHeight="70vh"
      onChange={onChange}
      onCreateEditor={(view) => goOn(view, begin)}
      readOnly={isReadOnly}
      theme={EDITOR_LOOK}
      value={value}
    />
  );
}

/** Takes the selection and the focus over; what was written is the editor's value already. */
function goOn(view: EditorView, { start, end, isFocused, scrollTop }: WrittenDraft): void {
  const { length } = view.state.doc;
  view.dispatch({ selection: { anchor: Math.min(start, length), head: Math.min(end, length) } });
  if (isFocused) view.focus();
  view.scrollDOM.scrollTop = scrollTop;
}

/** As `maxlength` of a plain field: what would be too long is not taken in. */
function refuseBeyond(maxLength: number, onRefused: () => void): Extension {
  return EditorState.changeFilter.of(({ newDoc, startState }) => {
    const isTaken = newDoc.length <= maxLength || newDoc.length < startState.doc.length;
    if (!isTaken) onRefused();
    return isTaken;
  });
}

/** Of the page's policy, when a server in front has set one (docs/decisions/0007). */
function pageNonce(): string {
  return document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? "";
}
