import { type Inngest, InngestCommHandler, type InngestFunction } from "inngest";
import { type Answer, answerFirstCall, type OwnCall } from "@/inngest/answer-first-call";

/** Functions of this process, called without a connection. */
export type AnswerHere = (call: OwnCall) => Promise<Answer>;

/**
 * The SDK without HTTP around it: first calls of runs by its engine, all others by its serve endpoint. Nobody but this process
 * can reach it, so that calls are not signed.
 */
export function answerHere(client: Inngest.Any, functions: readonly InngestFunction.Any[]): AnswerHere {
  const byId = new Map(functions.map((fn) => [fn.id(client.id), fn]));
  const answerAny = makeEndpoint(client, functions);
  return async (call) => (await answerFirstCall(client, byId, call)) ?? answerAny(call);
}

/** The serve endpoint alone. */
export function makeEndpoint(client: Inngest.Any, functions: readonly InngestFunction.Any[]): AnswerHere {
  const unsigned = { client, functions, skipSignatureValidation: true };
  const handler = new InngestCommHandler({
    frameworkName: "nextjs",
    ...unsigned,
    handler: (call: OwnCall) => ({
      body: () => call.body,
      headers: (name: string) => call.headers[name.toLowerCase()],
      method: () => "POST",
      url: () => new URL(call.url),
      transformResponse: ({ status, headers, body }) => ({ status, headers: withLowerCaseNames(headers), body }),
    }),
  });
  return handler.createHandler();
}

function withLowerCaseNames(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
