import type { ReactNode } from "react";
import { DocsNav } from "@/components/docs/docs-nav";
import { SiteFooter } from "@/components/shell/site-footer";

interface DocsFrameProps {
  serviceName: string;
  /** Of the API. */
  version: string;
  children: ReactNode;
}

/** A document to read, with the way through the others on the left. */
export function DocsFrame({ serviceName, version, children }: DocsFrameProps) {
  return (
    <>
      <div className="mx-auto w-full max-w-[1120px] px-4 sm:px-6 lg:flex lg:gap-12">
        <DocsNav />
        <main className="min-w-0 flex-1 pt-10 pb-20" id="content">
          {children}
        </main>
      </div>
      <SiteFooter serviceName={serviceName} version={version} />
    </>
  );
}
