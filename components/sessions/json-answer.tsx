import { LongText } from "@/components/sessions/long-text";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { parseExactJson } from "@/components/ui/exact-json";
import { JsonViewer } from "@/components/ui/json-viewer";

/** Beyond this JSON stands as text. */
const JSON_CHARACTERS = 100_000;
/** Beyond this its first level alone is open: a browser takes seconds to draw thousands of lines. */
const OPEN_CHARACTERS = 20_000;

/** An answer that is JSON: folding where its values are all that it says, else as it was written. Copied as it was written. */
export function JsonAnswer({ text }: { text: string }) {
  if (text.length > JSON_CHARACTERS) return <PlainJson text={text} />;
  const value = parseExactJson(text);
  const openLevels = text.length > OPEN_CHARACTERS ? 1 : 4;
  return value === undefined ? (
    <CodeBlock code={text} label="the answer" language="json" title="Answer" />
  ) : (
    <JsonViewer copied={text} label="the answer" openLevels={openLevels} title="Answer" value={value} />
  );
}

function PlainJson({ text }: { text: string }) {
  return (
    <div className="font-mono text-code">
      <LongText dir="ltr" text={text} />
      <div className="mt-1 -ml-2">
        <CopyButton label="the answer" text={text} />
      </div>
    </div>
  );
}
