import type { Metadata } from "next";
import type { ReactNode } from "react";
import { ErrorList } from "@/components/docs/error-list";
import { ERROR_WORDS, TURN_ERROR_WORDS } from "@/components/docs/error-words";
import { CodeBlock } from "@/components/ui/code-block";
import { ERROR_CODES, type ErrorCode } from "@/lib/domain/errors";
import { TURN_ERROR_CODES } from "@/lib/domain/turn-errors";
import { env } from "@/lib/env";

export const metadata: Metadata = {
  title: "Errors",
  description: "Every error code of the API: what it means and what to do.",
};

const API_ERRORS = (Object.keys(ERROR_CODES) as ErrorCode[]).map((code) => ({
  code,
  id: code,
  ...ERROR_CODES[code],
  ...ERROR_WORDS[code],
}));

// INTERNAL_ERROR is in both lists: the plain anchor belongs to the API's, which `docUrl` points to.
const TURN_ERRORS = TURN_ERROR_CODES.map((code) => ({ code, id: `turn-${code}`, ...TURN_ERROR_WORDS[code] }));

/** The list that every error's `docUrl` leads to (contract §2). */
export default function ErrorsPage() {
  return (
    <>
      <h1 className="font-semibold text-display tracking-[-0.025em]">Errors</h1>
      <p className="mt-2 mb-8 max-w-[64ch] text-muted">
        A call that is refused changes nothing. Decide on <code className="text-code text-foreground">code</code>, show{" "}
        <code className="text-code text-foreground">message</code>, and quote{" "}
        <code className="text-code text-foreground">requestId</code> when you ask for help: the same id stands in the
        response’s <code className="text-code text-foreground">X-Request-Id</code> and in the panel’s logs.
      </p>
      <CodeBlock code={exampleBody(env().APP_URL)} label="an example error" language="json" title="Error body" />
      <Group id="api-errors" text="The answer to the call itself." title="Answers of the API">
        <ErrorList entries={API_ERRORS} />
      </Group>
      <Group
        id="turn-errors"
        text="The call was accepted, the work failed for good. In the session’s error, the stream’s last event and the error callback. Nothing is charged."
        title="Failures in the background"
      >
        <ErrorList entries={TURN_ERRORS} />
      </Group>
    </>
  );
}

function Group({ id, title, text, children }: { id: string; title: string; text: string; children: ReactNode }) {
  return (
    <section aria-labelledby={`${id}-title`} className="mt-14">
      <h2 className="font-semibold text-title tracking-[-0.015em]" id={`${id}-title`}>
        {title}
      </h2>
      <p className="mt-1 mb-5 text-muted">{text}</p>
      {children}
    </section>
  );
}

function exampleBody(hostUrl: string): string {
  return `{
  "error": {
    "code": "VALIDATION_FAILED",
    "message": "limit must be at most 100.",
    "param": "limit",
    "details": [{ "param": "limit", "message": "must be at most 100" }],
    "retryable": false,
    "docUrl": "${hostUrl}/docs/errors#VALIDATION_FAILED",
    "requestId": "req_01kb…"
  }
}`;
}
