import { restoreTemplateAction } from "@/app/panel/(owner)/templates/actions";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { TemplateVersionView } from "@/components/templates/template-version-view";
import { type AddressParams, addressWith } from "@/components/ui/address";
import { Pagination } from "@/components/ui/pagination";
import { SidePanel } from "@/components/ui/side-panel";
import { VersionTable } from "@/components/ui/version-table";
import type { Template } from "@/lib/contracts/templates";
import type { PanelContext } from "@/lib/panel/panel-context";
import { listTemplateVersions } from "@/lib/services/templates/list-template-versions";

interface TemplateVersionsProps {
  context: PanelContext;
  template: Template;
  query: AddressParams;
}

const PAGE_SIZE = 20;
const BEGINNING_CHARACTERS = 200;

/** The part of the page about what the template said before. */
export async function TemplateVersions({ context: { principal, can }, template, query }: TemplateVersionsProps) {
  const { id, version: current } = template;
  const path = PANEL_ADDRESSES.template(id);
  const offset = wholeNumberOf(query.offset) ?? 0;
  const opened = wholeNumberOf(query.version);
  const isThere = opened !== null && opened >= 1 && opened <= current;
  const [list, pair] = await Promise.all([
    listTemplateVersions(principal, id, { limit: PAGE_SIZE, offset }),
    // Versions have no gaps, so the place of one is known; after it comes the one before it.
    isThere ? listTemplateVersions(principal, id, { limit: 2, offset: current - opened }) : null,
  ]);
  const [detail, previous] = pair?.data ?? [];
  return (
    <>
      <VersionTable
        current={current}
        hrefOf={({ version }) => addressWith(path, query, { version: String(version) })}
        selected={detail?.version}
        versions={list.data.map(({ version, createdAt, promptTemplate }) => ({
          version,
          createdAt,
          beginning: promptTemplate.slice(0, BEGINNING_CHARACTERS),
        }))}
      />
      {list.pagination.total > PAGE_SIZE ? (
        <Pagination pagination={list.pagination} params={query} path={path} />
      ) : null}
      {detail ? (
        <SidePanel
          closeHref={addressWith(path, query, { version: null, with: null })}
          title={`Version ${detail.version}`}
        >
          <TemplateVersionView
            current={{ version: current, promptTemplate: template.promptTemplate, variables: template.variables }}
            hrefWith={(other) => addressWith(path, query, { with: other === "previous" ? null : other })}
            previous={previous ?? null}
            restore={
              can("templates.update") && detail.version !== current
                ? restoreTemplateAction.bind(null, { templateId: id, version: detail.version })
                : undefined
            }
            version={detail}
            with={query.with === "current" ? "current" : "previous"}
          />
        </SidePanel>
      ) : null}
    </>
  );
}

function wholeNumberOf(value: string | string[] | undefined): number | null {
  const number = Number(value);
  return typeof value === "string" && Number.isSafeInteger(number) && number >= 0 && number < 2 ** 31 ? number : null;
}
