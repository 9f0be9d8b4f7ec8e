import { restoreKnowledgeAction } from "@/app/panel/(owner)/knowledge/actions";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { type AddressParams, addressWith } from "@/components/ui/address";
import { Pagination } from "@/components/ui/pagination";
import { SidePanel } from "@/components/ui/side-panel";
import { type ComparedVersion, VersionComparison } from "@/components/ui/version-comparison";
import { VersionTable } from "@/components/ui/version-table";
import type { KnowledgeFile } from "@/lib/contracts/knowledge";
import type { PanelContext } from "@/lib/panel/panel-context";
import { listKnowledgeVersions } from "@/lib/services/knowledge/list-knowledge-versions";

interface KnowledgeVersionsProps {
  context: PanelContext;
  file: KnowledgeFile;
  query: AddressParams;
}

const PAGE_SIZE = 20;
const BEGINNING_CHARACTERS = 200;

/** The part of the page about what the file said before. */
export async function KnowledgeVersions({ context: { principal, can }, file, query }: KnowledgeVersionsProps) {
  const { id, version: current } = file;
  const path = PANEL_ADDRESSES.knowledge(id);
  const offset = wholeNumberOf(query.offset) ?? 0;
  const opened = wholeNumberOf(query.version);
  const isThere = opened !== null && opened >= 1 && opened <= current;
  const [list, pair] = await Promise.all([
    listKnowledgeVersions(principal, id, { limit: PAGE_SIZE, offset }),
    // Versions have no gaps, so the place of one is known; after it comes the one before it.
    isThere ? listKnowledgeVersions(principal, id, { limit: 2, offset: current - opened }) : null,
  ]);
  const [detail, previous] = pair?.data ?? [];
  return (
    <>
      <VersionTable
        current={current}
        hrefOf={({ version }) => addressWith(path, query, { version: String(version) })}
        selected={detail?.version}
        versions={list.data.map(({ version, createdAt, content }) => ({
          version,
          createdAt,
          beginning: content.slice(0, BEGINNING_CHARACTERS),
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
          <VersionComparison
            current={comparedOf(file)}
            hrefWith={(other) => addressWith(path, query, { with: other === "previous" ? null : other })}
            previous={previous ? comparedOf(previous) : null}
            restore={
              can("knowledge.update") && detail.version !== current
                ? restoreKnowledgeAction.bind(null, { fileId: id, version: detail.version })
                : undefined
            }
            shown={{ ...comparedOf(detail), createdAt: detail.createdAt }}
            with={query.with === "current" ? "current" : "previous"}
          />
        </SidePanel>
      ) : null}
    </>
  );
}

function comparedOf({ version, content }: { version: number; content: string }): ComparedVersion {
  return { version, parts: { Content: content } };
}

function wholeNumberOf(value: string | string[] | undefined): number | null {
  const number = Number(value);
  return typeof value === "string" && Number.isSafeInteger(number) && number >= 0 && number < 2 ** 31 ? number : null;
}
