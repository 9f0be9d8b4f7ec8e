import type { ReactNode } from "react";
import { DocsNav } from "@/components/docs/docs-nav";
import { SiteFooter } from "@/components/shell/site-footer";
import { API_VERSION } from "@/lib/contracts/endpoint-definition";
import { env } from "@/lib/env";

/** Documents to read, with the way through them on the left. */
export default function GuidesLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <div className="mx-auto w-full max-w-[1120px] px-4 sm:px-6 lg:flex lg:gap-12">
        <DocsNav />
        <main className="min-w-0 flex-1 pt-10 pb-20" id="content">
          {children}
        </main>
      </div>
      <SiteFooter serviceName={env().SERVICE_NAME} version={API_VERSION} />
    </>
  );
}
