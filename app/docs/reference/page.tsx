import type { Metadata } from "next";
import { ReferenceView } from "@/components/docs/reference-view";
import { env } from "@/lib/env";

export const metadata: Metadata = {
  title: "API reference",
  description: "Every endpoint with its fields and answers, and a console to try it.",
};

/** The rendered OpenAPI document. */
export default function ReferencePage() {
  const { SERVICE_NAME } = env();
  return (
    <div id="content">
      <ReferenceView serviceName={SERVICE_NAME} />
    </div>
  );
}
