/** Something the owner should look at, e.g. a webhook that failed (§6.4). */
export interface AlertRecord {
  id: string;
  projectId: string | null;
  /** e.g. "webhook.failed" */
  kind: string;
  /** Id of what it is about. */
  subjectId: string | null;
  title: string;
  message: string;
  createdAt: string;
  dismissedAt: string | null;
  /** When what it tells of ended. */
  resolvedAt: string | null;
}
