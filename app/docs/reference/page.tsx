import type { Metadata } from "next";
import { DocsFrame } from "@/components/docs/docs-frame";
import { referenceGroups } from "@/components/docs/reference-entries";
import { ReferenceIndex } from "@/components/docs/reference-index";
import { ReferenceView } from "@/components/docs/reference-view";
import { API_VERSION } from "@/lib/contracts/endpoint-definition";
import { env } from "@/lib/env";
import { liveOpenApi } from "@/lib/http/live-openapi";

export const metadata: Metadata = {
  title: "API reference",
  description: "Every endpoint with its fields and answers, and a console to try it.",
};

/** The OpenAPI document: its index first, and each endpoint in full with a console. */
export default function ReferencePage() {
  const { SERVICE_NAME } = env();
  return (
    <ReferenceView serviceName={SERVICE_NAME}>
      <DocsFrame serviceName={SERVICE_NAME} version={API_VERSION}>
        <ReferenceIndex groups={referenceGroups(liveOpenApi())} hostUrl={env().APP_URL} />
      </DocsFrame>
    </ReferenceView>
  );
}
