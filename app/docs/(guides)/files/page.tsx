import type { Metadata } from "next";
import { FilesGuide } from "@/components/docs/guides/files-guide";
import { env } from "@/lib/env";

export const metadata: Metadata = {
  title: "Files",
  description: "Send files, wait for the result, download what was made.",
};

/** Send files, wait for the result, download what was made. */
export default function FilesPage() {
  return <FilesGuide apiUrl={`${env().APP_URL}/api/v1`} />;
}
