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
  const { id, version: current, promptTemplate, variables } = template;
  return (
    <VersionBrowser<TemplateVersion>
      compare={({ shown, ...compared }) => (
        <TemplateVersionView
          {...compared}
          current={{ version: current, promptTemplate, variables }}
          restore={
            can("templates.update") && shown.version !== current
              ? restoreTemplateAction.bind(null, { templateId: id, version: shown.version })
              : undefined
          }
          version={shown}
        />
      )}
      current={current}
      list={orSayAway((page) => listTemplateVersions(principal, id, page))}
      path={PANEL_ADDRESSES.template(id)}
      query={query}
      textOf={(version) => version.promptTemplate}
    />
  );
}
