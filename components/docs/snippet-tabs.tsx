import type { Snippet, SnippetGroup, SnippetLanguage } from "@/components/docs/snippets/snippet";
import { CodeBlock } from "@/components/ui/code-block";
import type { CodeLanguage } from "@/components/ui/highlight-code";
import { LanguageTabs } from "@/components/ui/language-tabs";

const COLOURED_AS: Record<SnippetLanguage, CodeLanguage> = {
  curl: "shell",
  Shell: "shell",
  TypeScript: "typescript",
  Python: "python",
  PHP: "php",
  Go: "go",
  Ruby: "ruby",
  Java: "java",
  "C#": "csharp",
  // What counts of a page is its script.
  HTML: "typescript",
};

/** The same in several languages; a lone one has no tabs. */
export function SnippetTabs({ group }: { group: SnippetGroup }) {
  const [first, ...others] = group.snippets;
  if (first && others.length === 0) return <SnippetBlock label={group.label} snippet={first} />;
  return (
    <div>
      <LanguageTabs
        label={group.label}
        tabs={group.snippets.map((snippet) => ({
          id: snippet.language,
          name: snippet.language,
          content: (
            <div className="pt-3">
              <SnippetBlock label={group.label} snippet={snippet} />
            </div>
          ),
        }))}
      />
    </div>
  );
}

function SnippetBlock({ label, snippet }: { label: string; snippet: Snippet }) {
  return (
    <CodeBlock
      answer={snippet.answer}
      code={snippet.code}
      label={`${label} in ${snippet.language}`}
      language={COLOURED_AS[snippet.language]}
      title={snippet.title}
    />
  );
}
