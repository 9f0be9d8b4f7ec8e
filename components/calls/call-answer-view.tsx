import { formatBytes, formatNumber } from "@/components/ui/format-number";
import { KeyValues } from "@/components/ui/key-values";
import { Section } from "@/components/ui/section";
import type { CallSummary } from "@/lib/contracts/call-log";

/** What was answered, by its kind and size: the log keeps no content. Nothing of calls before that was noted. */
export function CallAnswerView({ status, summary }: { status: number; summary: CallSummary }) {
  const { answerBytes, answerType, answerItems } = summary;
  const isEmpty = answerBytes === undefined && answerType === undefined;
  if (isEmpty && status !== 204) return null;
  return (
    <Section title="Response">
      {isEmpty ? (
        <p className="text-muted">It had no body.</p>
      ) : (
        <KeyValues
          items={[
            { name: "Type", value: <span className="font-mono">{answerType ?? "application/json"}</span> },
            { name: "Entries", value: answerItems === undefined ? null : formatNumber(answerItems) },
            {
              name: "Size",
              value:
                answerBytes === undefined
                  ? "Not known: it went on after the log was written"
                  : formatBytes(answerBytes),
            },
          ]}
        />
      )}
    </Section>
  );
}
