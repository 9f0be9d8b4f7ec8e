import type { ReactNode } from "react";
import { DocsFrame } from "@/components/docs/docs-frame";
import { API_VERSION } from "@/lib/contracts/endpoint-definition";
import { env } from "@/lib/env";

/** Documents to read. */
export default function GuidesLayout({ children }: { children: ReactNode }) {
  return (
    <DocsFrame serviceName={env().SERVICE_NAME} version={API_VERSION}>
      {children}
    </DocsFrame>
  );
}
