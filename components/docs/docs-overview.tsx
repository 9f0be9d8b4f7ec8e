import { buttonVariants } from "@heroui/styles";
import { ArrowRight } from "lucide-react";
import { DOCS_GROUPS, type DocsGroup } from "@/components/docs/docs-links";
import { Guide } from "@/components/docs/guide";
import { CodeBlock } from "@/components/ui/code-block";

/** The start page of the documents: one call, and the way to everything else. */
export function DocsOverview({ apiUrl, serviceName }: { apiUrl: string; serviceName: string }) {
  return (
    <Guide
      lead="AI jobs over HTTP. A call is accepted in milliseconds, the model works in the background, and the result comes by polling, by stream, or to your server as a signed call."
      title={`${serviceName}: documents`}
    >
      <div className="mt-8">
        <CodeBlock
          answer={'202 {"sessionId":"ses_01kb…","status":"started","callbackUrl":null}'}
          code={`curl -sS ${apiUrl}/chat \\
  -H "X-API-Key: $API_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"message": "Say hello in three languages."}'`}
          label="the first call"
          language="shell"
          title="POST /chat"
        />
      </div>
      <div className="mt-6 flex flex-wrap gap-3">
        <a className={buttonVariants({ variant: "primary" })} href="/docs/quick-start">
          Make the first call
        </a>
        <a className={buttonVariants({ variant: "ghost" })} href="/docs/reference">
          API reference
          <ArrowRight aria-hidden="true" />
        </a>
      </div>
      {DOCS_GROUPS.slice(1).map((group) => (
        <LinkGroup group={group} key={group.name} />
      ))}
    </Guide>
  );
}

function LinkGroup({ group }: { group: DocsGroup }) {
  return (
    <section aria-label={group.name} className="mt-12">
      <h2 className="mb-2 font-semibold text-title tracking-[-0.015em]">{group.name}</h2>
      <ul className="border-separator border-t">
        {group.links.map(({ href, name, text }) => (
          <li className="border-separator border-b" key={href}>
            <a
              className="group -mx-3 grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 rounded-lg px-3 py-3 hover:bg-surface-secondary sm:grid-cols-[220px_minmax(0,1fr)_auto]"
              href={href}
            >
              <span className="font-medium">{name}</span>
              <ArrowRight aria-hidden="true" className="row-span-2 size-4 text-muted sm:order-last sm:row-span-1" />
              <span className="text-muted">{text}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
