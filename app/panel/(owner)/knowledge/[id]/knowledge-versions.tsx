import { restoreKnowledgeAction } from "@/app/panel/(owner)/knowledge/actions";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import type { AddressParams } from "@/components/ui/address";
import { formatBytes } from "@/components/ui/format-number";
import { VersionBrowser } from "@/components/ui/version-browser";
import { type ComparedVersion, VersionComparison } from "@/components/ui/version-comparison";
import type { KnowledgeFile, KnowledgeVersion } from "@/lib/contracts/knowledge";
import { MAX_KNOWLEDGE_VERSIONS_BYTES } from "@/lib/domain/limits";
import { orSayAway } from "@/lib/panel/or-say-away";
import type { PanelContext } from "@/lib/panel/panel-context";
import { listKnowledgeVersions } from "@/lib/services/knowledge/list-knowledge-versions";

interface KnowledgeVersionsProps {
  context: PanelContext;
  file: KnowledgeFile;
  query: AddressParams;
}

/** The part of the page about what the file said before. */
export function KnowledgeVersions({ context: { principal, can }, file, query }: KnowledgeVersionsProps) {
  const { id, version: current } = file;
  return (
    <VersionBrowser<KnowledgeVersion>
      compare={({ shown, previous, ...compared }) => (
        <VersionComparison
          {...compared}
          current={comparedOf(file)}
          previous={previous && comparedOf(previous)}
          restore={
            can("knowledge.update") && shown.version !== current
              ? restoreKnowledgeAction.bind(null, { fileId: id, version: shown.version, began: current })
              : undefined
          }
          shown={{ ...comparedOf(shown), createdAt: shown.createdAt }}
        />
      )}
      current={current}
      frame={(versions) => (
        <>
          <p className="mb-4 text-pretty text-muted">
            {`All versions of the project’s files have ${formatBytes(MAX_KNOWLEDGE_VERSIONS_BYTES)} together. When there are more, the oldest go; what a file says now stays.`}
          </p>
          {versions}
        </>
      )}
      list={orSayAway((page) => listKnowledgeVersions(principal, id, page))}
      path={PANEL_ADDRESSES.knowledge(id)}
      query={query}
      textOf={({ content }) => content}
    />
  );
}

function comparedOf({ version, content }: { version: number; content: string }): ComparedVersion {
  return { version, parts: { Content: content } };
}
