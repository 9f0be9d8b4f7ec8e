import { acceptBare } from "@/bench/support/tasks/accept-bare";
import { serveEcho, servePipe } from "@/bench/support/tasks/floor-servers";
import { followJobs } from "@/bench/support/tasks/follow-jobs";
import { hammer } from "@/bench/support/tasks/hammer";
import { awaitStreams, openStreams } from "@/bench/support/tasks/open-streams";
import { sendUploads } from "@/bench/support/tasks/send-uploads";
import { timeLooks } from "@/bench/support/tasks/time-looks";
import { breakSlowBodies, openSlowBodies } from "@/e2e/support/slow-bodies";

/** What child processes do for benchmarks, so that load and floors share no event loop with what is measured. */
export const TASKS = {
  acceptBare,
  awaitStreams,
  followJobs,
  hammer,
  openStreams,
  sendUploads,
  serveEcho,
  servePipe,
  timeLooks,
  breakSlowBodies,
  openSlowBodies,
};

export type Tasks = typeof TASKS;
export type TaskName = keyof Tasks;

/** Over the channel between parent and child. */
export interface TaskRequest {
  id: number;
  name: TaskName;
  args: unknown[];
}

export type TaskAnswer = { id: number; result: unknown } | { id: number; error: string };
