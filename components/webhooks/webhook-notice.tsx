import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

interface WebhookNoticeProps {
  title: ReactNode;
  text: ReactNode;
  /** What can be done about it. */
  children?: ReactNode;
}

/** What an owner should look at, over the list or page that it is about. */
export function WebhookNotice({ title, text, children }: WebhookNoticeProps) {
  return (
    <div className="mb-6 flex gap-3 rounded-xl border border-border bg-surface p-4">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
      <div className="min-w-0">
        <p className="font-semibold [overflow-wrap:anywhere]">{title}</p>
        <p className="mt-0.5 max-w-[72ch] text-pretty text-muted [overflow-wrap:anywhere]">{text}</p>
        {children ? <div className="mt-3 flex flex-wrap items-center gap-2">{children}</div> : null}
      </div>
    </div>
  );
}
