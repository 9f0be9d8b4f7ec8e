import type { ReactNode } from "react";
import { STAFF_ADDRESSES } from "@/components/staff/staff-addresses";
import { AFTER_UNDERSCORES, Breakable } from "@/components/ui/breakable";
import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { formatBytes, formatDuration, formatNumber } from "@/components/ui/format-number";
import { IdText } from "@/components/ui/id-text";
import { KeyValues } from "@/components/ui/key-values";
import { Section } from "@/components/ui/section";
import { StatusDot } from "@/components/ui/status-dot";
import type { Tone } from "@/components/ui/status-tones";
import { TimeText } from "@/components/ui/time-text";
import type { FailedRun, FailedRunSubject, SystemStatus } from "@/lib/contracts/staff-system";

const HOUR_SECONDS = 3_600;
/** From these ages on work waits longer than it ever should (seconds). */
const LATE_SECONDS = 60;
const LATE_CRON_SECONDS = 300;
/** Servers that do not know a sender yet put the first try off for minutes. */
const LATE_MAIL_SECONDS = 1_800;
const NEARLY_ALL = 0.8;

/** How the installation does, of all its processes. */
export function SystemFigures({ system }: { system: SystemStatus }) {
  const { queue, outbox, turns, answers, deliveries, mails, storage, database } = system;
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <Part
        items={[
          { name: "Waiting", value: formatNumber(queue.waiting) },
          { name: "Oldest waits", value: <Age seconds={queue.oldestWaitingSeconds} /> },
          { name: "Running", value: formatNumber(queue.running) },
          { name: "Asleep", value: formatNumber(queue.sleeping) },
          { name: "Failed runs", value: <Fault count={queue.failedRuns} word="in the last day" /> },
        ]}
        title="Queue"
      />
      <Part items={runnerFacts(system)} title="Runner" />
      <Part
        items={[
          { name: "Outbox", value: formatNumber(outbox.waiting) },
          { name: "Outbox lag", value: <Age seconds={outbox.oldestSeconds} /> },
          { name: "Turns queued", value: formatNumber(turns.queued) },
          { name: "Turns running", value: formatNumber(turns.running) },
          ...(turns.limited > 0 ? [{ name: "Turns limited", value: <Limited count={turns.limited} /> }] : []),
          { name: "Oldest turn", value: <Age lateSeconds={LATE_CRON_SECONDS} seconds={turns.oldestSeconds} /> },
          { name: "Failed answers", value: <FailedAnswers {...answers} /> },
          { name: "Deliveries", value: `${formatNumber(deliveries.pending)} on their way` },
          { name: "Overdue by", value: <Age seconds={deliveries.overdueSeconds} /> },
          { name: "Mails", value: `${formatNumber(mails.waiting)} on their way` },
          { name: "Oldest mail", value: <Age lateSeconds={LATE_MAIL_SECONDS} seconds={mails.oldestSeconds} /> },
        ]}
        title="Work"
      />
      <Part
        items={[
          { name: "Files", value: formatNumber(storage.files) },
          { name: "Bytes", value: formatBytes(storage.bytes) },
          { name: "Uploads", value: `${formatNumber(storage.pendingUploads)} under way` },
          { name: "Database", value: formatBytes(database.bytes) },
          { name: "Connections", value: <Connections {...database} /> },
        ]}
        title="Storage and database"
      />
    </div>
  );
}

interface PartProps {
  title: string;
  items: { name: string; value: ReactNode }[];
}

function Part({ title, items }: PartProps) {
  return (
    <div className="rounded-xl border border-border bg-surface p-5">
      <h2 className="mb-2 font-semibold text-base">{title}</h2>
      <KeyValues items={items} />
    </div>
  );
}

function runnerFacts({ engine, queue }: SystemStatus) {
  if (engine === "inngest") {
    return [{ name: "Engine", value: "Inngest. Its own pages show its queue and runs." }];
  }
  const isLate = queue.lateCronSeconds >= LATE_CRON_SECONDS;
  return [
    { name: "Engine", value: "Embedded" },
    {
      name: "Health",
      value: isLate ? (
        <StatusDot
          status="away"
          word={`no runner works: a timer is ${formatDuration(queue.lateCronSeconds * 1_000)} late`}
        />
      ) : (
        <StatusDot status="ok" word="works" />
      ),
    },
    { name: "Busy runners", value: formatNumber(queue.runners) },
    { name: "Lost places", value: <Fault count={queue.lostLeases} word="to be taken over" /> },
  ];
}

/** A time that something waits; marked once it is long. */
function Age({ seconds, lateSeconds = LATE_SECONDS }: { seconds: number; lateSeconds?: number }) {
  if (seconds === 0) return <span className="text-muted">Nothing waits</span>;
  const tone: Tone = seconds >= lateSeconds ? "danger" : "success";
  return <StatusDot status="waiting" tone={tone} word={formatDuration(seconds * 1_000)} />;
}

function Fault({ count, word }: { count: number; word: string }) {
  const whole = <Breakable at={AFTER_UNDERSCORES} text={`${formatNumber(count)} ${word}`} />;
  return <StatusDot status="faults" tone={count > 0 ? "danger" : "success"} word={<span>{whole}</span>} />;
}

/** Why work is old although nothing is wrong here. */
function Limited({ count }: { count: number }) {
  const word = `${formatNumber(count)} of them ${count === 1 ? "waits" : "wait"} for the model’s provider to let more through`;
  return <StatusDot status="limited" tone="warning" word={<span>{word}</span>} />;
}

/** Of the newest sessions, with why: codes that begin with MODEL_ are the model's. */
function FailedAnswers({ ended, failed, codes, spanSeconds }: SystemStatus["answers"]) {
  const span = `in the last ${spanSeconds === HOUR_SECONDS ? "hour" : formatDuration(spanSeconds * 1_000)}`;
  if (ended === 0) return <span className="text-muted">Nothing ended {span}</span>;
  const why = codes.map(({ code, count }) => `${code} ${formatNumber(count)}`).join(", ");
  return <Fault count={failed} word={`of the newest ${formatNumber(ended)} ${span}${why === "" ? "" : `: ${why}`}`} />;
}

function Connections({ connections, maxConnections }: SystemStatus["database"]) {
  const isTight = connections >= maxConnections * NEARLY_ALL;
  return (
    <StatusDot
      status="connections"
      tone={isTight ? "warning" : "success"}
      word={`${formatNumber(connections)} of ${formatNumber(maxConnections)}`}
    />
  );
}

const RUNS: TableColumn<FailedRun>[] = [
  { id: "function", name: "Function", cell: ({ functionId }) => <span className="font-mono">{functionId}</span> },
  { id: "subject", name: "Of what", cell: ({ subject }) => (subject ? <SubjectId subject={subject} /> : null) },
  { id: "message", name: "Why", cell: ({ message }) => <span className="whitespace-normal">{message}</span> },
  { id: "failed", name: "Failed", cell: ({ failedAt }) => (failedAt ? <TimeText at={failedAt} /> : null) },
];

/** What a run worked on, which leads to where staff see it or, failing that, whose it is. */
function SubjectId({ subject: { kind, id, accountId } }: { subject: FailedRunSubject }) {
  const ofAccount = accountId === null ? undefined : STAFF_ADDRESSES.account(accountId);
  return (
    <IdText href={kind === "delivery" ? STAFF_ADDRESSES.delivery(id) : ofAccount} id={id} label={`the ${kind}'s id`} />
  );
}

/** Runs that failed for good. */
export function FailedRuns({ runs }: { runs: FailedRun[] }) {
  return (
    <Section text="Of the last day. Each was tried again before it was given up." title="Failed runs">
      <DataTable
        columns={RUNS}
        empty={<p className="text-muted">None.</p>}
        label="Failed runs"
        rowKey={({ id }) => id}
        rows={runs}
      />
    </Section>
  );
}
