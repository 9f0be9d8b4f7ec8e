import { notFound } from "next/navigation";
import { requirePanel } from "@/lib/panel/require-panel";

/** Addresses below /panel that lead nowhere: said inside the shell, so that the reader is not lost. */
export default async function NowherePage(): Promise<never> {
  await requirePanel("overview.view");
  notFound();
}
