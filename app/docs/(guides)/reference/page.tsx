import type { Metadata } from "next";
import { asOpenApi } from "@/components/docs/reference/openapi";
import { referenceGroups } from "@/components/docs/reference/reference-entries";
import { ReferenceIndex } from "@/components/docs/reference/reference-index";
import { env } from "@/lib/env";
import { liveOpenApi } from "@/lib/http/live-openapi";

export const metadata: Metadata = {
  title: "API reference",
  description: "Every endpoint with its fields and answers, and a console to try it.",
};

/** The index of the endpoints, from the live OpenAPI document. */
export default function ReferencePage() {
  return <ReferenceIndex groups={referenceGroups(asOpenApi(liveOpenApi()))} hostUrl={env().APP_URL} />;
}
