import type { IncomingMessage, ServerResponse } from "node:http";
import { newId } from "@/lib/domain/ids";
import { beforeNext } from "@/lib/http/before-next";
import { completeHeaders } from "@/lib/http/complete-answer";

/** Has every answer of this process completed as its headers go out, where Next alone serves. */
export function completeAnswersOfNext(): void {
  beforeNext("completed-answers", completeAsItGoes);
}

function completeAsItGoes({ request, response }: { request: IncomingMessage; response: ServerResponse }): void {
  const { url } = request;
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  response.writeHead = (...given: unknown[]) => {
    completeHeaders(response, { requestId: newId("request"), url });
    return writeHead(...given);
  };
}
