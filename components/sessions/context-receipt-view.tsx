import { extractionWords } from "@/components/sessions/extraction-words";
import { KnowledgeReceipt } from "@/components/sessions/knowledge-receipt";
import { TokenParts } from "@/components/sessions/token-parts";
import type { TurnAddresses } from "@/components/sessions/turn-addresses";
import { formatCount, formatCredits, formatNumber } from "@/components/ui/format-number";
import { KeyValues } from "@/components/ui/key-values";
import type { ContextReceipt } from "@/lib/contracts/context-receipt";

interface ContextReceiptViewProps {
  receipt: ContextReceipt;
  addresses: Pick<TurnAddresses, "template" | "memory">;
}

/** What the AI saw of a turn: which versions of what, how much of it, and what it weighed. */
export function ContextReceiptView({ receipt, addresses }: ContextReceiptViewProps) {
  const { model, template, memory, history, transcription, parts, knowledge, files } = receipt;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <KeyValues
        items={[
          { name: "Model", value: model && <span className="font-mono">{model}</span> },
          {
            name: "Template",
            value: template && (
              <a className="text-accent-text hover:underline" href={addresses.template(template.id)}>
                Version {template.version}
              </a>
            ),
          },
          { name: "Memory", value: memory && <Memory href={addresses.memory} {...memory} /> },
          { name: "Earlier messages", value: historyWords(history) },
          {
            name: "Sound",
            value:
              transcription &&
              `${formatCount(transcription.seconds, "second")} transcribed, ${formatCredits(transcription.credits)}`,
          },
          { name: "Read in parts", value: parts && <Parts parts={parts} /> },
          { name: "Files", value: files.length > 0 ? <Files files={files} /> : null },
        ]}
      />
      {knowledge ? <KnowledgeReceipt knowledge={knowledge} /> : null}
      <TokenParts isEstimated={receipt.isTokenCountEstimated === true} tokens={receipt.tokens} />
    </div>
  );
}

/** "4; 2 did not fit" */
export function historyWords({ messages, leftOut }: ContextReceipt["history"]): string {
  const words = messages === 0 ? "None" : formatNumber(messages);
  return leftOut === 0 ? words : `${words}; ${formatNumber(leftOut)} did not fit`;
}

function Memory({ version, tokens, href }: { version: number; tokens: number; href: string | null }) {
  const words = `Version ${version}`;
  return (
    <>
      {href ? (
        <a className="text-accent-text hover:underline" href={href}>
          {words}
        </a>
      ) : (
        words
      )}
      <span className="text-muted">, {formatCount(tokens, "token")}</span>
    </>
  );
}

function Parts({ parts: { count, joins, ranges } }: { parts: NonNullable<ContextReceipt["parts"]> }) {
  return (
    <>
      {formatCount(count, "part")}
      {joins > 0 ? `, brought together by ${formatCount(joins, "more call")}` : null}
      <ul className="text-muted">
        {ranges.map((range) => (
          <li key={range}>{range}</li>
        ))}
      </ul>
    </>
  );
}

function Files({ files }: { files: ContextReceipt["files"] }) {
  return (
    <ul className="grid gap-1">
      {files.map((file) => {
        const { read, leftOut, skipped } = extractionWords(file);
        return (
          <li key={file.id}>
            <bdi>{file.name}</bdi> <span className="text-muted">{read}</span>
            {leftOut ? <span className="block">Left out: {leftOut}</span> : null}
            {skipped ? <span className="block text-muted">Never read: {skipped}</span> : null}
          </li>
        );
      })}
    </ul>
  );
}
