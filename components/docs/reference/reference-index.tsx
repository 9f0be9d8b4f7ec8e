import { buttonVariants } from "@heroui/styles";
import { EndpointName } from "@/components/docs/reference/endpoint-name";
import {
  type ReferenceEntry,
  type ReferenceGroup,
  referenceAddress,
} from "@/components/docs/reference/reference-entries";
import { CONSOLE_PATH } from "@/components/playground/playground-address";
import { Prose } from "@/components/ui/prose";

interface ReferenceIndexProps {
  groups: ReferenceGroup[];
  /** {host_url} */
  hostUrl: string;
}

/** Every endpoint with what it does and needs; each leads to its page. */
export function ReferenceIndex({ groups, hostUrl }: ReferenceIndexProps) {
  return (
    <article>
      <h1 className="font-semibold text-display tracking-[-0.025em]">API reference</h1>
      <p className="mt-2 max-w-[64ch] text-base text-muted leading-6">
        Every endpoint of <code className="text-code text-foreground">{hostUrl}</code>. Choose one for all of its
        fields, its answers and the call as code. Send your key as{" "}
        <code className="text-code text-foreground">X-API-Key</code>; what a call may be refused for stands in{" "}
        <a className="text-accent-text underline" href="/docs/errors">
          Errors
        </a>
        .
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <a className={buttonVariants({ variant: "primary" })} href={CONSOLE_PATH}>
          Open the console
        </a>
        <a className={buttonVariants({ variant: "ghost" })} href="/openapi.json">
          OpenAPI document
        </a>
      </div>
      {groups.map(({ name, text, entries }) => (
        <section aria-label={name} className="mt-12" key={name}>
          <h2 className="font-semibold text-title tracking-[-0.015em]">{name}</h2>
          <p className="mt-1 mb-3 text-muted">
            <Prose text={text} />
          </p>
          <ul className="border-separator border-t">
            {entries.map((entry) => (
              <Entry entry={entry} key={entry.id} />
            ))}
          </ul>
        </section>
      ))}
    </article>
  );
}

function Entry({ entry }: { entry: ReferenceEntry }) {
  return (
    <li className="border-separator border-b py-4">
      <h3 className="font-medium font-mono text-code">
        <a className="hover:text-accent-text" href={referenceAddress(entry)}>
          <EndpointName endpoint={entry} />
        </a>
      </h3>
      <p className="mt-1 max-w-[72ch]">
        <Prose text={entry.summary} />
      </p>
      <p className="mt-0.5 max-w-[72ch] text-muted">
        <Prose text={entry.text} />
      </p>
    </li>
  );
}
