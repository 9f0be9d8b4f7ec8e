import { deliveryFilterQuery } from "@/lib/contracts/deliveries";
import { validate } from "@/lib/http/validate";
import { csvResponse } from "@/lib/panel/csv-response";
import { panelRoute } from "@/lib/panel/panel-route";
import { recordCsvExport } from "@/lib/services/audit/record-csv-export";
import { exportDeliveriesCsv } from "@/lib/services/deliveries/export-deliveries-csv";

/** The deliveries of a list as CSV: the same filters in the address, all parts of the list. */
export const GET = panelRoute("deliveries.export", async ({ actor, principal }, request) => {
  const { webhook, ...filters } = validate(deliveryFilterQuery, Object.fromEntries(new URL(request.url).searchParams));
  await recordCsvExport(actor, principal, "deliveries", { webhook, ...filters });
  const webhookId = webhook === "none" ? null : webhook;
  return csvResponse(
    "deliveries",
    principal,
    exportDeliveriesCsv(principal, { ...filters, ...(webhook && { webhookId }) }),
  );
});
