import { subscribe } from "node:diagnostics_channel";
import type { IncomingMessage, ServerResponse } from "node:http";
import { newId } from "@/lib/domain/ids";
import { completeHeaders } from "@/lib/http/complete-answer";
import { processSingleton } from "@/lib/process-singleton";

/**
 * Has every answer of this process completed as its headers go out. For servers that Next alone starts: node tells of each call
 * before Next gets it, and there is no other place before Next there. Beside scripts/serve.ts, which does the same, it does nothing.
 */
export function completeAnswersOfNext(): void {
  if (processSingleton<object | null>("page-answers", () => null) !== null) return;
  processSingleton("completed-answers", () => {
    subscribe("http.server.request.start", (call) => completeAsItGoes(call as Call));
    return true;
  });
}

interface Call {
  request: IncomingMessage;
  response: ServerResponse;
}

function completeAsItGoes({ request, response }: Call): void {
  const { url } = request;
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  response.writeHead = (...given: unknown[]) => {
    completeHeaders(response, { requestId: newId("request"), url });
    return writeHead(...given);
  };
}
