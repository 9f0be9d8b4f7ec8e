import { InngestCommHandler, type ServeHandlerOptions } from "inngest";

/** A call of a function, as the embedded runner makes it. */
export interface OwnCall {
  url: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

/** Functions of this process, called without a connection. Headers of the answer have names in lower case. */
export type AnswerHere = (call: OwnCall) => Promise<{ status: number; headers: Record<string, string>; body: string }>;

/**
 * The SDK's own serve endpoint without HTTP around it. Nobody but this process can reach it, so that calls are not signed.
 */
export function answerHere(options: ServeHandlerOptions): AnswerHere {
  const unsigned = { ...options, skipSignatureValidation: true };
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
