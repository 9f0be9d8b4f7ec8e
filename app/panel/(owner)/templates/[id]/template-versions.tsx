import { releaseOf } from "@/app/panel/(owner)/templates/[id]/release-of";
import { restoreTemplateAction } from "@/app/panel/(owner)/templates/actions";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { TemplateVersionView } from "@/components/templates/template-version-view";
import type { AddressParams } from "@/components/ui/address";
import { VersionBrowser } from "@/components/ui/version-browser";
import type { Template, TemplateVersion } from "@/lib/contracts/template-records";
import { orSayAway } from "@/lib/panel/or-say-away";
import type { PanelContext } from "@/lib/panel/panel-context";
import { listTemplateVersions } from "@/lib/services/templates/list-template-versions";

interface TemplateVersionsProps {
  context: PanelContext;
  template: Template;
  query: AddressParams;
}

/** The part of the page about what the template said before. */
export function TemplateVersions({ context: { principal, can }, template, query }: TemplateVersionsProps) {
  const { id, version: current, liveVersion, promptTemplate, variables } = template;
  const release = releaseOf(template, can);
  return (
    <VersionBrowser<TemplateVersion>
      compare={({ shown, ...compared }) => (
        <TemplateVersionView
          {...compared}
          current={{ version: current, promptTemplate, variables }}
          liveVersion={liveVersion}
          release={release}
          restore={
            can("templates.update") && shown.version !== current
              ? restoreTemplateAction.bind(null, { templateId: id, version: shown.version, began: current })
              : undefined
          }
          version={shown}
        />
      )}
      current={current}
      frame={(versions) => (
        <>
          {liveVersion === undefined ? (
            <p className="mb-4 max-w-[80ch] text-pretty text-muted">
              Calls use the newest version from the moment it is saved.
              {release ? " Open one to have calls use it: what is saved later then waits until you release it." : ""}
            </p>
          ) : null}
          {versions}
        </>
      )}
      list={orSayAway((page) => listTemplateVersions(principal, id, page))}
      live={liveVersion}
      path={PANEL_ADDRESSES.template(id)}
      query={query}
      textOf={(version) => version.promptTemplate}
    />
  );
}
