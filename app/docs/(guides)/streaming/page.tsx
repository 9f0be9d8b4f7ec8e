import type { Metadata } from "next";
import { StreamingGuide } from "@/components/docs/guides/streaming-guide";
import { env } from "@/lib/env";

export const metadata: Metadata = {
  title: "Streaming",
  description: "Follow an answer by server-sent events, without gaps.",
};

/** Follow an answer by server-sent events, without gaps. */
export default function StreamingPage() {
  return <StreamingGuide apiUrl={`${env().APP_URL}/api/v1`} />;
}
