import { notFound } from "next/navigation";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePanel } from "@/lib/panel/require-panel";

/** Addresses below /panel that lead nowhere: said inside the shell, so that the reader is not lost. */
export default orSayAway(async function NowherePage(): Promise<never> {
  await requirePanel("overview.view");
  notFound();
});
