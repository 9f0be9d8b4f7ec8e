import Link from "next/link";
import { quickStarts } from "@/components/home/quick-start-steps";
import { CodeBlock } from "@/components/ui/code-block";

interface FirstCallProps {
  apiUrl: string;
  /** Whether there was a call already, of another kind. */
  hasCharts: boolean;
}

/** The first call that gets an answer, ready to paste. */
export function FirstCall({ apiUrl, hasCharts }: FirstCallProps) {
  const steps = quickStarts(apiUrl, false).find(({ id }) => id === "curl")?.steps;
  const [key, chat] = (["key", "chat"] as const).map((name) => steps?.find(({ id }) => id === name));
  if (!key || !chat) return null;
  return (
    <div className="grid min-w-0 content-start gap-3">
      <CodeBlock
        answer={chat.answer}
        code={`${key.code}\n\n${chat.code}`}
        label="the first call"
        language="shell"
        title={chat.caption}
      />
      <p className="text-code text-muted">
        {hasCharts ? null : "Charts stand here after it. "}The{" "}
        <Link className="text-accent-text underline underline-offset-2" href="/docs/quick-start">
          quick start
        </Link>{" "}
        goes on from there, also in TypeScript and Python.
      </p>
    </div>
  );
}
