import { TimeText } from "@/components/ui/time-text";

interface DueTextProps {
  /** 48 hours after the submission (§8). */
  dueAt: string;
  isOverdue: boolean;
}

/** How long there is to decide; red once it is over. */
export function DueText({ dueAt, isOverdue }: DueTextProps) {
  if (!isOverdue) return <TimeText at={dueAt} kind="deadline" />;
  return (
    <span className="font-medium text-danger-soft-foreground sm:whitespace-nowrap">
      Overdue, was due <TimeText at={dueAt} kind="deadline" />
    </span>
  );
}
