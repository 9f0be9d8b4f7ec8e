import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { processSingleton } from "@/lib/process-singleton";

interface Call {
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * Has something done with each call before Next gets it. For servers that Next alone starts: node tells of each call first, and
 * there is no other place before Next there. Beside scripts/serve.ts, which does the same, it does nothing.
 * @param name of what is done: asked for again, it is still done once
 */
export function beforeNext(name: string, work: (call: Call) => void): void {
  if (processSingleton<object | null>("page-answers", () => null) !== null) return;
  processSingleton(name, () => {
    subscribe("http.server.request.start", (call) => work(call as Call));
    return true;
  });
}
