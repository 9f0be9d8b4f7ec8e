import { buttonVariants } from "@heroui/styles";
import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { LiveRefresh } from "@/components/home/live-refresh";
import { QuickStart } from "@/components/home/quick-start";
import { RequestPicture } from "@/components/home/request-picture";
import { StatusPanel } from "@/components/home/status-panel";
import { SiteFooter } from "@/components/shell/site-footer";
import { SiteHeader } from "@/components/shell/site-header";
import { env } from "@/lib/env";
import { getServiceStatus } from "@/lib/services/health/get-service-status";

/** What this is, that it runs, and the quick start. */
export default async function HomePage() {
  const status = await getServiceStatus();
  const { APP_URL, DEMO_ACCOUNT, SERVICE_NAME } = env();
  const apiUrl = `${APP_URL}/api/v1`;
  return (
    <>
      <LiveRefresh />
      <SiteHeader serviceName={SERVICE_NAME} />
      <main className="mx-auto w-full max-w-[1120px] px-4 pb-20 sm:px-6" id="content">
        <div className="grid items-center gap-x-16 gap-y-10 pt-12 pb-16 lg:grid-cols-[minmax(0,1fr)_400px] lg:pt-20 lg:pb-20">
          <Introduction />
          <StatusPanel {...status} apiUrl={apiUrl} />
        </div>
        <Section id="quick-start" text="Three calls, in order, against this server." title="Quick start">
          <QuickStart apiUrl={apiUrl} hasDemoAccount={DEMO_ACCOUNT} />
        </Section>
        <Section
          id="request"
          text="The database is the truth at every step: a crash in between loses no work and charges nothing twice."
          title="How one request goes"
        >
          <RequestPicture />
        </Section>
        <Section id="more" text="Everything else this server says about itself." title="Read on">
          <MoreLinks />
        </Section>
      </main>
      <SiteFooter serviceName={SERVICE_NAME} version={status.version} />
    </>
  );
}

function Introduction() {
  return (
    <div>
      <h1 className="text-balance font-semibold text-display tracking-[-0.03em] sm:text-display-lg">
        Send a message or a file. Get the AI’s answer your way.
      </h1>
      <p className="mt-5 max-w-[54ch] text-pretty text-base text-muted leading-6">
        An HTTP API for your product’s AI work. A call is accepted in milliseconds, the model works in the background,
        and the result comes by polling, by stream, or to your server as a signed callback.
      </p>
      <div className="mt-8 flex flex-wrap items-center gap-3">
        <a className={buttonVariants({ variant: "primary" })} href="#quick-start">
          Make the first call
        </a>
        <a className={buttonVariants({ variant: "ghost" })} href="/docs">
          Read the documents
          <ArrowRight aria-hidden="true" />
        </a>
      </div>
    </div>
  );
}

interface SectionProps {
  id: string;
  title: string;
  text: string;
  children: ReactNode;
}

function Section({ id, title, text, children }: SectionProps) {
  return (
    <section aria-labelledby={`${id}-title`} className="border-separator border-t pt-12 pb-14" id={id}>
      <h2 className="font-semibold text-title tracking-[-0.015em]" id={`${id}-title`}>
        {title}
      </h2>
      <p className="mt-1 mb-8 text-muted">{text}</p>
      {children}
    </section>
  );
}

const LINKS = [
  { href: "/docs", name: "Documents", text: "Guides to streams, files, templates, webhooks, retries and end users." },
  { href: "/docs/reference", name: "API reference", text: "Every endpoint and field, with a console to try it." },
  {
    href: "/openapi.json",
    name: "OpenAPI document",
    text: "Every endpoint, made from what the routes run on. Feed it to a client generator.",
  },
  { href: "/docs/errors", name: "Errors", text: "Each code, what it means, and what to do about it." },
  { href: "/api/v1/health", name: "Health", text: "Version and endpoints as JSON, without a key." },
];

function MoreLinks() {
  return (
    <ul>
      {LINKS.map(({ href, name, text }) => (
        <li className="border-separator border-b last:border-b-0" key={href}>
          <a
            className="group -mx-3 grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 rounded-lg px-3 py-3.5 motion-safe:transition-colors duration-100 hover:bg-surface-secondary sm:grid-cols-[200px_minmax(0,1fr)_auto]"
            href={href}
          >
            <span className="font-medium">{name}</span>
            <ArrowRight
              aria-hidden="true"
              className="row-span-2 size-4 text-muted motion-safe:transition-transform duration-100 group-hover:translate-x-0.5 sm:order-last sm:row-span-1"
            />
            <span className="text-muted">{text}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
