import type { Metadata } from "next";
import { WebhooksGuide } from "@/components/docs/guides/webhooks-guide";
import { SAMPLE_EVENTS } from "@/lib/contracts/webhook-events";
import { env } from "@/lib/env";

export const metadata: Metadata = {
  title: "Webhooks",
  description: "Get results by signed HTTPS calls, and verify them.",
};

/** Get results by signed HTTPS calls, and verify them. */
export default function WebhooksPage() {
  return <WebhooksGuide hostUrl={env().APP_URL} sampleEvent={SAMPLE_EVENTS.completion} />;
}
