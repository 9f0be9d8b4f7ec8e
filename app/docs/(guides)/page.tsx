import type { Metadata } from "next";
import { DocsOverview } from "@/components/docs/docs-overview";
import { env } from "@/lib/env";

export const metadata: Metadata = {
  title: "Documents",
  description: "Quick start, guides, API reference and errors.",
};

/** Where the documents begin. */
export default function DocsPage() {
  const { APP_URL, SERVICE_NAME } = env();
  return <DocsOverview apiUrl={`${APP_URL}/api/v1`} serviceName={SERVICE_NAME} />;
}
