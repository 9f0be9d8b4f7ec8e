import type { ReactNode } from "react";

/** How one request goes, from the call to its three ways back. */
export function RequestPicture() {
  return (
    <ol className="grid gap-y-0 lg:grid-cols-[1fr_1fr_1fr_1.5fr] lg:gap-x-8">
      <Station code="POST /chat" title="You call">
        A message, or a file with an instruction. Key, permission, limits and credits are checked first.
      </Station>
      <Station code="202 sessionId" title="Accepted">
        Session, message and the event that starts the work are saved in one transaction, and only then confirmed.
      </Station>
      <Station code="turn/ready" title="In the background">
        The model reads the conversation and the file. What it writes goes into the session as it arrives.
      </Station>
      <Station code="completed" isLast title="The result, your way">
        <ResultWays />
      </Station>
    </ol>
  );
}

interface StationProps {
  title: string;
  /** What can be seen of it in the API. */
  code: string;
  isLast?: boolean;
  children: ReactNode;
}

function Station({ title, code, isLast = false, children }: StationProps) {
  return (
    <li className="relative pb-8 pl-7 last:pb-0 lg:pt-8 lg:pb-0 lg:not-last:pl-0">
      {/* The line runs down on small screens and to the right on wide ones. */}
      {isLast ? null : (
        <span
          aria-hidden="true"
          className="absolute top-3 bottom-0 left-[5px] w-px bg-border lg:top-[5px] lg:-right-8 lg:bottom-auto lg:left-0 lg:h-px lg:w-auto"
        />
      )}
      <span
        aria-hidden="true"
        className={`absolute top-1.5 left-0 size-[11px] rounded-full border-2 border-accent lg:top-0 ${isLast ? "bg-accent" : "bg-background"}`}
      />
      <h3 className="font-semibold">{title}</h3>
      <p className="font-mono text-accent-text text-code">{code}</p>
      <div className="mt-2 text-muted">{children}</div>
    </li>
  );
}

const WAYS = [
  { name: "Poll", code: "GET /chat/:sessionId", text: "The record, until its status is neither started nor resumed." },
  { name: "Stream", code: "GET /chat/:sessionId/stream", text: "Each chunk as it is written; resumes where it broke." },
  { name: "Callback", code: "POST callbackUrl", text: "Signed, over HTTPS, tried five times within three hours." },
];

/** Three branches off the line, each to one way; the line comes down from the station's dot. */
function ResultWays() {
  return (
    <dl className="-ml-7">
      {WAYS.map(({ name, code, text }) => (
        <div className="group/way relative pt-3 pl-7" key={name}>
          <Line className="-top-[33px] h-[33px] group-not-first/way:hidden lg:-top-[71px] lg:h-[71px]" />
          <Line className="top-0 h-4 group-not-last/way:h-full" />
          <span
            aria-hidden="true"
            className="absolute top-[11px] left-[5px] h-3 w-4 rounded-bl-lg border-accent border-b border-l"
          />
          <dt className="flex flex-wrap items-baseline gap-x-3">
            <span className="font-medium text-foreground">{name}</span>
            <code className="text-code">{code}</code>
          </dt>
          <dd className="mt-0.5">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

function Line({ className }: { className: string }) {
  return <span aria-hidden="true" className={`absolute left-[5px] w-px bg-accent ${className}`} />;
}
