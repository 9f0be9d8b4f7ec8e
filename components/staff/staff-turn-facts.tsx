import { historyWords } from "@/components/sessions/context-receipt-view";
import { extractionWords } from "@/components/sessions/extraction-words";
import { TokenParts } from "@/components/sessions/token-parts";
import { STAFF_ADDRESSES } from "@/components/staff/staff-addresses";
import { formatBytes, formatCount, formatCredits, formatDuration, formatNumber } from "@/components/ui/format-number";
import { IdText } from "@/components/ui/id-text";
import { KeyValues } from "@/components/ui/key-values";
import { StatusDot } from "@/components/ui/status-dot";
import { TimeText } from "@/components/ui/time-text";
import type { StaffReceipt, StaffTurn } from "@/lib/contracts/staff-sessions";

const CUTS: Record<NonNullable<StaffReceipt["outputCut"]>, string> = {
  credits: "The answer ends early: the account's credits paid for no more",
  length: "The answer ends early: the model gives no longer ones",
  filter: "The answer ends early: the provider's content filter cut it",
};

/** One turn in figures: what was read, what did not fit, how long it took. */
export function StaffTurnFacts({ turn }: { turn: StaffTurn }) {
  const { position, endpoint, requestId, status, errorCode, model, outputType, receipt } = turn;
  const heading = `Turn ${position + 1}`;
  return (
    <section aria-label={heading} className="rounded-xl border border-border bg-surface p-5">
      <h3 className="mb-2 flex flex-wrap items-baseline gap-x-4 font-medium">
        {heading}
        <StatusDot status={status} />
        {errorCode ? <span className="font-mono font-normal text-code text-muted">{errorCode}</span> : null}
      </h3>
      <KeyValues
        items={[
          {
            name: "Call",
            value: <IdText href={STAFF_ADDRESSES.call(requestId)} id={requestId} label="the request id" />,
          },
          { name: "Endpoint", value: <span className="font-mono">{endpoint}</span> },
          { name: "Came", value: <TimeText at={turn.createdAt} kind="exact" /> },
          { name: "Time", value: timeWords(turn) },
          { name: "Model", value: model && <span className="font-mono">{model}</span> },
          { name: "Sizes", value: sizeWords(turn) },
          { name: "Result", value: outputType },
          { name: "Cut", value: receipt?.outputCut && CUTS[receipt.outputCut] },
          { name: "Cost", value: `${formatCredits(turn.creditsUsed)}, ${tokenWords(turn)}` },
          ...(receipt ? receiptItems(receipt) : []),
        ]}
      />
      {receipt?.tokens ? (
        <div className="mt-4">
          <TokenParts isEstimated={receipt.isTokenCountEstimated === true} tokens={receipt.tokens} />
        </div>
      ) : null}
    </section>
  );
}

function tokenWords({ tokensIn, tokensOut }: StaffTurn): string {
  return `${formatCount(tokensIn, "token")} in, ${formatNumber(tokensOut)} out`;
}

function timeWords({ createdAt, startedAt, endedAt, begun }: StaffTurn): string {
  const between = (from: string, to: string) => formatDuration(Math.max(0, Date.parse(to) - Date.parse(from)));
  if (!startedAt) return "Not begun";
  const words = [`waited ${between(createdAt, startedAt)}`];
  if (endedAt) words.push(`took ${between(startedAt, endedAt)}`);
  if (begun > 1) words.push(`begun ${formatNumber(begun)} times`);
  return words.join(", ");
}

function sizeWords({ inputBytes, inlineBytes, outputBytes }: StaffTurn): string {
  const words = [`input ${formatBytes(inputBytes)}`];
  if (inlineBytes !== null) words.push(`fileContent ${formatBytes(inlineBytes)}`);
  if (outputBytes !== null) words.push(`answer ${formatBytes(outputBytes)}`);
  return words.join(", ");
}

function receiptItems({ files, knowledge, hasMemory, history, parts, soundSeconds }: StaffReceipt) {
  return [
    { name: "Files", value: files.length > 0 ? <FileFigures files={files} /> : null },
    { name: "Read in parts", value: parts && partWords(parts) },
    { name: "Sound", value: soundSeconds === null ? null : `${formatCount(soundSeconds, "second")} transcribed` },
    { name: "Knowledge", value: knowledge && knowledgeWords(knowledge) },
    { name: "Memory", value: hasMemory ? "A profile of the end user went along" : null },
    { name: "Earlier messages", value: history && historyWords(history) },
  ];
}

function partWords({ count, joins }: NonNullable<StaffReceipt["parts"]>): string {
  return formatCount(count, "part") + (joins > 0 ? `, brought together by ${formatCount(joins, "more call")}` : "");
}

function knowledgeWords({ whole, sections, none }: NonNullable<StaffReceipt["knowledge"]>): string {
  return `${formatCount(whole, "file")} whole, ${formatNumber(sections)} by sections, ${formatNumber(none)} left out`;
}

function FileFigures({ files }: Pick<StaffReceipt, "files">) {
  return (
    <ol>
      {files.map((figures, index) => {
        const { read, leftOut, skipped } = extractionWords(figures);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: files have neither name nor id here, and stay in their order.
          <li key={index}>
            {read}
            {leftOut ? <span className="block text-muted">Left out: {leftOut}</span> : null}
            {skipped ? <span className="block text-muted">Never read: {skipped}</span> : null}
          </li>
        );
      })}
    </ol>
  );
}
