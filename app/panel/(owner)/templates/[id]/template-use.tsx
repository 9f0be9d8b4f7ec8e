import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { TemplateUseView } from "@/components/templates/template-use-view";
import type { Principal } from "@/lib/domain/principal";
import { orSayAway } from "@/lib/panel/or-say-away";
import { searchSessions } from "@/lib/services/sessions/search-sessions";
import { getTemplateUse } from "@/lib/services/templates/get-template-use";

const LATEST_SESSIONS = 10;

/** The part of the page about the template's use. */
export const TemplateUse = orSayAway(async function TemplateUse({
  principal,
  templateId,
}: {
  principal: Principal;
  templateId: string;
}) {
  const [use, sessions] = await Promise.all([
    getTemplateUse(principal, templateId),
    searchSessions(principal, { templateId, limit: LATEST_SESSIONS }),
  ]);
  return (
    <TemplateUseView
      allHref={`/panel/sessions?templateId=${templateId}`}
      hrefOf={PANEL_ADDRESSES.session}
      sessions={sessions.data}
      use={use}
    />
  );
});
