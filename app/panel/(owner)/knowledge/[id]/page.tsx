import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { KnowledgeVersions } from "@/app/panel/(owner)/knowledge/[id]/knowledge-versions";
import {
  createKnowledgeAction,
  deleteKnowledgeAction,
  saveKnowledgeAction,
} from "@/app/panel/(owner)/knowledge/actions";
import { KnowledgeStudio } from "@/app/panel/(owner)/knowledge/knowledge-studio";
import { fileNameOf } from "@/components/knowledge/file-tree";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { DeleteButton } from "@/components/ui/delete-button";
import { formatBytes } from "@/components/ui/format-number";
import { IdText } from "@/components/ui/id-text";
import { PageHeader } from "@/components/ui/page-header";
import { TabLinks } from "@/components/ui/tab-links";
import type { KnowledgeFile } from "@/lib/contracts/knowledge";
import { AppError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/ids";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePanel } from "@/lib/panel/require-panel";
import { getKnowledgeFile } from "@/lib/services/knowledge/get-knowledge-file";
import { measureKnowledge } from "@/lib/services/knowledge/preview-knowledge";

const PATH = "/panel/knowledge";

/** Looked up once for the page and its title. */
const findFile = cache(async (id: string) => {
  const context = await requirePanel("knowledge.view");
  if (!isId("knowledgeFile", id)) notFound();
  const file = await getKnowledgeFile(context.principal, id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "NOT_FOUND") notFound();
    throw error;
  });
  return { context, file };
});

export const generateMetadata = orSayAway(async ({ params }: PageProps<"/panel/knowledge/[id]">): Promise<Metadata> => {
  const { file } = await findFile((await params).id);
  return { title: file.path };
});

/** One knowledge file: its editor, and what it said before. */
export default orSayAway(async function KnowledgeFilePage({
  params,
  searchParams,
}: PageProps<"/panel/knowledge/[id]">) {
  const [{ id }, query] = await Promise.all([params, searchParams]);
  const { context, file } = await findFile(id);
  const { principal, can } = context;
  const isHistory = query.tab === "versions";
  const { budgetTokens } = await measureKnowledge(principal);
  return (
    <>
      <FileHeader file={file} mayDelete={can("knowledge.delete")} />
      <TabLinks
        current={isHistory ? "versions" : "editor"}
        label="Parts of the file"
        params={{}}
        path={PANEL_ADDRESSES.knowledge(id)}
        tabs={[
          { id: "editor", name: "Editor" },
          { id: "versions", name: "Versions", count: file.version },
        ]}
      />
      {isHistory ? (
        <KnowledgeVersions context={context} file={file} query={query} />
      ) : (
        <KnowledgeStudio
          budgetTokens={budgetTokens}
          canSave={can("knowledge.update")}
          create={createKnowledgeAction}
          file={file}
          folder=""
          key={id}
          listPath={PATH}
          save={saveKnowledgeAction}
        />
      )}
    </>
  );
});

function FileHeader({ file, mayDelete }: { file: KnowledgeFile; mayDelete: boolean }) {
  return (
    <PageHeader
      action={
        mayDelete ? (
          <DeleteButton
            action={deleteKnowledgeAction.bind(null, { fileId: file.id })}
            backHref={PATH}
            name={file.path}
            text="From the next call on the AI does not know it any more. All its versions go too; this cannot be undone."
            what="file"
          />
        ) : undefined
      }
      back={{ href: PATH, name: "Knowledge base" }}
      purpose={
        <span className="flex flex-wrap items-center gap-x-4">
          <IdText id={file.id} label="the file's id" />
          <span className="text-code">{formatBytes(file.sizeBytes)}</span>
        </span>
      }
      title={fileNameOf(file.path)}
    />
  );
}
