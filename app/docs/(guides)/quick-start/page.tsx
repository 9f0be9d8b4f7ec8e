import type { Metadata } from "next";
import { QuickStartGuide } from "@/components/docs/guides/quick-start-guide";
import { env } from "@/lib/env";

export const metadata: Metadata = {
  title: "Quick start",
  description: "From an empty terminal to a first streamed answer.",
};

/** From an empty terminal to a first streamed answer. */
export default function QuickStartPage() {
  const { APP_URL, DEMO_ACCOUNT } = env();
  return <QuickStartGuide hasDemoAccount={DEMO_ACCOUNT} hostUrl={APP_URL} />;
}
