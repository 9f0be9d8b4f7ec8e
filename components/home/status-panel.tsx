import type { ReactNode } from "react";
import { CopyButton } from "@/components/ui/copy-button";

/** What the panel shows; the page reads it from the health service. */
export interface StatusPanelProps {
  version: string;
  database: "ok" | "away";
  model: { name: string; isDemo: boolean; isConfigured: boolean };
  storage: "disk" | "blob";
  apiUrl: string;
}

/** The live state of the service, said plainly. */
export function StatusPanel({ version, database, model, storage, apiUrl }: StatusPanelProps) {
  const isRunning = database === "ok";
  return (
    <section aria-labelledby="status-title" className="rounded-xl border border-border bg-surface shadow-surface">
      <header className="flex h-12 items-center gap-2.5 border-separator border-b px-5">
        <Dot tone={isRunning ? "success" : "danger"} />
        <h2 className="font-semibold" id="status-title">
          {isRunning ? "Running" : "Waiting for the database"}
        </h2>
        <span className="ml-auto font-mono text-code text-muted">v{version}</span>
      </header>
      <dl className="px-5 py-2">
        <Row name="Database">
          {isRunning ? "ok" : "away: calls get 503, nothing is lost, work goes on when it is back"}
        </Row>
        <Row name="Model">{modelWords(model)}</Row>
        <Row name="Files">{storage === "blob" ? "Vercel Blob" : "on disk"}</Row>
      </dl>
      <div className="flex items-center gap-2 border-separator border-t py-2 pr-2 pl-5">
        <code className="min-w-0 flex-1 text-code [overflow-wrap:anywhere]">{apiUrl}</code>
        <CopyButton label="the address of the API" text={apiUrl} />
      </div>
    </section>
  );
}

function modelWords({ name, isDemo, isConfigured }: StatusPanelProps["model"]): ReactNode {
  if (isDemo) {
    return (
      <Explained title="demo">
        Answers are demo answers. Set <code className="text-code">OPENAI_API_KEY</code> and start again for real ones.
      </Explained>
    );
  }
  if (!isConfigured) {
    return (
      <Explained title="none">
        Work ends as failed until <code className="text-code">OPENAI_API_KEY</code> is set.
      </Explained>
    );
  }
  return <span className="font-mono text-code">{name}</span>;
}

function Explained({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <span className="flex items-center gap-2">
        <Dot tone="warning" />
        {title}
      </span>
      <span className="mt-0.5 block text-muted">{children}</span>
    </>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[88px_minmax(0,1fr)] gap-4 py-2">
      <dt className="text-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const DOT_CLASSES = { success: "bg-success", warning: "bg-warning", danger: "bg-danger" };

/** Never alone: a word always stands beside it. */
function Dot({ tone }: { tone: keyof typeof DOT_CLASSES }) {
  return <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${DOT_CLASSES[tone]}`} />;
}
