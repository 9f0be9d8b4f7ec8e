import { SupportLink } from "@/components/ui/support-link";

/** The last line of the public pages; on small screens it also carries the links of the header. */
export function SiteFooter({ serviceName, version }: { serviceName: string; version: string }) {
  return (
    <footer className="mt-auto border-separator border-t">
      <div className="mx-auto flex max-w-[1120px] flex-wrap items-center gap-x-6 gap-y-2 px-4 py-6 text-muted sm:px-6">
        <p>
          {serviceName} <span className="font-mono text-code">{version}</span>
        </p>
        <nav aria-label="Footer" className="flex flex-wrap gap-x-5 gap-y-2 sm:ml-auto print:hidden">
          <a className="hover:text-foreground" href="/docs">
            Docs
          </a>
          <a className="hover:text-foreground" href="/docs/reference">
            API reference
          </a>
          <a className="hover:text-foreground" href="/docs/errors">
            Errors
          </a>
          <a className="hover:text-foreground" href="/openapi.json">
            OpenAPI
          </a>
          <a className="hover:text-foreground" href="/api/v1/health">
            Health
          </a>
          <SupportLink className="hover:text-foreground" orNothing>
            Support
          </SupportLink>
          <a className="hover:text-foreground sm:hidden" href="/panel/sign-in">
            Sign in
          </a>
        </nav>
      </div>
    </footer>
  );
}
