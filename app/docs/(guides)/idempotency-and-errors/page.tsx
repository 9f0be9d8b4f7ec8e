import type { Metadata } from "next";
import { ReliableCallsGuide } from "@/components/docs/guides/reliable-calls-guide";
import { env } from "@/lib/env";

export const metadata: Metadata = {
  title: "Idempotency and errors",
  description: "Repeat calls safely and know which to repeat.",
};

/** Repeat calls safely and know which to repeat. */
export default function ReliableCallsPage() {
  return <ReliableCallsGuide apiUrl={`${env().APP_URL}/api/v1`} />;
}
