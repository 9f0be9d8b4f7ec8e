import type { ReactNode } from "react";
import { SiteHeader } from "@/components/shell/site-header";
import { env } from "@/lib/env";

/** The bar on top of all documents. */
export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <SiteHeader serviceName={env().SERVICE_NAME} />
      {children}
    </>
  );
}
