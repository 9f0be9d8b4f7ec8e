import { subscribe } from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";
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
    subscribe("http.server.request.start", (call) => completeAsItGoes((call as { response: ServerResponse }).response));
    return true;
  });
}

function completeAsItGoes(response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  response.writeHead = (...given: unknown[]) => {
    completeHeaders(response, newId("request"));
    return writeHead(...given);
  };
}
