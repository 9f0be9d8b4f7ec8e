/** What staff see of the installation. */

/** How the installation does, as of now. Ages are in seconds; 0 when nothing waits. */
export interface SystemStatus {
  /** Which engine moves the work; the figures of `queue` are the embedded one's. */
  engine: "embedded" | "inngest";
  queue: {
    /** Ready for a place. */
    waiting: number;
    /** Asleep until their time. */
    sleeping: number;
    running: number;
    oldestWaitingSeconds: number;
    /** Calls whose runner has not been heard of in time; another takes them over. */
    lostLeases: number;
    /** Runs that failed for good, of the last day. */
    failedRuns: number;
    runners: number;
    /** A cron function that is this late shows that no runner works. */
    lateCronSeconds: number;
  };
  outbox: { waiting: number; oldestSeconds: number };
  /** Of the running ones, some wait for a limit of the model's provider to pass (docs/decisions/0046). */
  turns: { queued: number; running: number; limited: number; oldestSeconds: number };
  /** How the newest sessions ended, of all accounts. */
  answers: {
    ended: number;
    failed: number;
    /** Why, the most frequent first. */
    codes: { code: string; count: number }[];
    /** How far back: the last hour, or less where sessions have expired by then. */
    spanSeconds: number;
  };
  deliveries: { pending: number; overdueSeconds: number };
  /** Mails that the mail server has not taken yet. */
  mails: { waiting: number; oldestSeconds: number };
  storage: { files: number; bytes: number; pendingUploads: number };
  database: { bytes: number; connections: number; maxConnections: number; version: string };
}

/** The nearest thing that a run's event names. */
export interface FailedRunSubject {
  kind: "delivery" | "turn" | "session" | "account";
  id: string;
  /** Whose it is; null when the event does not say. */
  accountId: string | null;
}

/** A run of a function that failed for good. */
export interface FailedRun {
  id: string;
  functionId: string;
  /** The error's message, shortened. */
  message: string;
  /** What the run worked on, as the event that began it says; null when that names nothing that staff know. */
  subject: FailedRunSubject | null;
  createdAt: string;
  failedAt: string | null;
}
