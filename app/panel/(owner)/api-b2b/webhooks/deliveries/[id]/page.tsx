import { redirect } from "next/navigation";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePanel } from "@/lib/panel/require-panel";

/** Where a delivery is named by its id alone (search, alerts): opens it over the list of all. */
export default orSayAway(async function DeliveryPage({
  params,
}: PageProps<"/panel/api-b2b/webhooks/deliveries/[id]">): Promise<never> {
  await requirePanel("deliveries.view");
  const { id } = await params;
  redirect(`/panel/api-b2b/webhooks?tab=deliveries&delivery=${encodeURIComponent(id)}`);
});
