import type { Metadata } from "next";
import { createKnowledgeAction, saveKnowledgeAction } from "@/app/panel/(owner)/knowledge/actions";
import { KnowledgeStudio } from "@/app/panel/(owner)/knowledge/knowledge-studio";
import { PageHeader } from "@/components/ui/page-header";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePanel } from "@/lib/panel/require-panel";
import { measureKnowledge } from "@/lib/services/knowledge/preview-knowledge";

export const metadata: Metadata = { title: "New knowledge file" };

const PATH = "/panel/knowledge";
const MAX_FOLDER_CHARACTERS = 200;

/** A knowledge file that is not there yet; `?folder=` says where it begins. */
export default orSayAway(async function NewKnowledgePage({ searchParams }: PageProps<"/panel/knowledge/new">) {
  const [{ principal }, { folder }] = await Promise.all([requirePanel("knowledge.create"), searchParams]);
  const { budgetTokens } = await measureKnowledge(principal);
  return (
    <>
      <PageHeader back={{ href: PATH, name: "Knowledge base" }} title="New file" />
      <KnowledgeStudio
        budgetTokens={budgetTokens}
        canSave
        create={createKnowledgeAction}
        file={null}
        folder={typeof folder === "string" ? folder.slice(0, MAX_FOLDER_CHARACTERS) : ""}
        listPath={PATH}
        save={saveKnowledgeAction}
      />
    </>
  );
});
