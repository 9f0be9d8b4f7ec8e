import type { Metadata } from "next";
import { EndUsersGuide } from "@/components/docs/guides/end-users-guide";
import { env } from "@/lib/env";

export const metadata: Metadata = {
  title: "End users and memory",
  description: "Keep your customers apart, and let the AI know them.",
};

/** Keep your customers apart, and let the AI know them. */
export default function EndUsersPage() {
  return <EndUsersGuide apiUrl={`${env().APP_URL}/api/v1`} />;
}
