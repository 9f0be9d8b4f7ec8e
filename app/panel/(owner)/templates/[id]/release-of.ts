import { releaseTemplateAction } from "@/app/panel/(owner)/templates/actions";
import type { Template } from "@/lib/contracts/template-records";
import type { PanelContext } from "@/lib/panel/panel-context";

/** What has calls use a version of the template, null: the newest; undefined where the reader may not. */
export function releaseOf({ id: templateId, liveVersion }: Template, can: PanelContext["can"]) {
  if (!can("templates.release")) return undefined;
  const began = liveVersion ?? null;
  return (version: number | null) => releaseTemplateAction.bind(null, { templateId, version, began });
}
