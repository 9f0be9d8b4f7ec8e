import type { Metadata } from "next";
import { TemplatesGuide } from "@/components/docs/guides/templates-guide";
import { env } from "@/lib/env";

export const metadata: Metadata = {
  title: "Templates",
  description: "Prompts with variables, kept on the server.",
};

/** Prompts with variables, kept on the server. */
export default function TemplatesPage() {
  return <TemplatesGuide apiUrl={`${env().APP_URL}/api/v1`} />;
}
