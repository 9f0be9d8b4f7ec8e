import { buttonVariants } from "@heroui/styles";
import type { Metadata } from "next";
import type { ReactNode } from "react";
import { switchKnowledgeAction, uploadKnowledgeAction } from "@/app/panel/(owner)/knowledge/actions";
import { KnowledgeCheck } from "@/components/knowledge/knowledge-check";
import { KnowledgeState } from "@/components/knowledge/knowledge-state";
import { KnowledgeTree } from "@/components/knowledge/knowledge-tree";
import { UploadFilesButton } from "@/components/knowledge/upload-files-button";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { addressWith } from "@/components/ui/address";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter-bar";
import type { Filter } from "@/components/ui/filter-kinds";
import { NearLink } from "@/components/ui/near-link";
import { PageHeader } from "@/components/ui/page-header";
import { TabLinks } from "@/components/ui/tab-links";
import type { KnowledgeFileItem } from "@/lib/contracts/knowledge";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePanel } from "@/lib/panel/require-panel";
import { listKnowledgeFiles } from "@/lib/services/knowledge/list-knowledge-files";
import { measureKnowledge, previewKnowledge } from "@/lib/services/knowledge/preview-knowledge";
import { getProject } from "@/lib/services/projects/get-project";

export const metadata: Metadata = { title: "Knowledge base" };

const PATH = "/panel/knowledge";
const NEW_PATH = `${PATH}/new`;
const MAX_FILE_BYTES = 1024 * 1024;
/** As many as a project may have. */
const MAX_FILES = 500;
const MAX_QUESTION_CHARACTERS = 2_000;
/** More files than these are looked through by a word. */
const MOST_AT_A_GLANCE = 10;
/** Of more files than these the folders are folded. */
const MOST_UNFOLDED = 100;
const FILTERS: Filter[] = [{ kind: "text", param: "find", label: "Find", placeholder: "A part of a name" }];

/** What the AI knows of the business: `.brain/api/db/*.md` (§1). */
export default orSayAway(async function KnowledgePage({ searchParams }: PageProps<"/panel/knowledge">) {
  const [{ principal, can }, params] = await Promise.all([requirePanel("knowledge.view"), searchParams]);
  const isChecking = params.tab === "check";
  const question = questionOf(params.question);
  const [files, measure, project, preview] = await Promise.all([
    listKnowledgeFiles(principal),
    measureKnowledge(principal),
    getProject(principal),
    isChecking && question !== "" ? previewKnowledge(principal, question) : null,
  ]);
  const maySwitch = can("project.update");
  const buttons = can("knowledge.create") ? <NewFileButtons /> : null;
  return (
    <>
      <PageHeader
        action={buttons}
        purpose="What the AI knows of your business: Markdown files that go along with every call of this project."
        title="Knowledge base"
      />
      <KnowledgeState
        {...measure}
        isOn={project.apiEnabled}
        model={project.model ?? project.defaultModel}
        switchOff={maySwitch ? switchKnowledgeAction.bind(null, { isOn: false }) : undefined}
        switchOn={maySwitch ? switchKnowledgeAction.bind(null, { isOn: true }) : undefined}
      />
      <TabLinks
        current={isChecking ? "check" : "files"}
        label="Parts of the knowledge base"
        params={{}}
        path={PATH}
        tabs={[
          { id: "files", name: "Files", count: files.length },
          { id: "check", name: "What the AI sees" },
        ]}
      />
      {isChecking ? (
        <KnowledgeCheck maxCharacters={MAX_QUESTION_CHARACTERS} path={PATH} preview={preview} question={question} />
      ) : (
        <Files buttons={buttons} files={files} word={wordOf(params.find)} />
      )}
    </>
  );
});

function NewFileButtons() {
  return (
    <>
      <UploadFilesButton folder="" maxBytes={MAX_FILE_BYTES} maxFiles={MAX_FILES} upload={uploadKnowledgeAction} />
      <NearLink className={buttonVariants({ variant: "primary", size: "sm" })} href={NEW_PATH}>
        New file
      </NearLink>
    </>
  );
}

interface FilesProps {
  files: KnowledgeFileItem[];
  /** What makes a file; null: the reader may not. */
  buttons: ReactNode;
  /** In the names of those that are looked for; "" for all. */
  word: string;
}

function Files({ files, buttons, word }: FilesProps) {
  if (files.length === 0) {
    return (
      <EmptyState
        text="Write down prices, opening hours, how you answer: one subject a file, with headings. The AI answers from it instead of guessing."
        title="No files yet"
      >
        {buttons}
      </EmptyState>
    );
  }
  const found = files.filter(({ path }) => path.toLowerCase().includes(word));
  return (
    <>
      {files.length > MOST_AT_A_GLANCE || word !== "" ? <FilterBar filters={FILTERS} /> : null}
      {found.length === 0 ? (
        <EmptyState text="Clear a filter to see more." title="No file is called like that" />
      ) : (
        <KnowledgeTree
          files={found}
          hrefOf={PANEL_ADDRESSES.knowledge}
          // What is found is shown; of hundreds of files one looks at the folders first.
          isOpen={word !== "" || files.length <= MOST_UNFOLDED}
          key={word}
          newHrefOf={buttons === null ? undefined : (folder) => addressWith(NEW_PATH, {}, { folder })}
        />
      )}
    </>
  );
}

function wordOf(value: string | string[] | undefined): string {
  return typeof value === "string" ? value.trim().toLowerCase() : "";
}

function questionOf(value: string | string[] | undefined): string {
  return typeof value === "string"
    ? value.replaceAll("\0", "").slice(0, MAX_QUESTION_CHARACTERS).toWellFormed().trim()
    : "";
}
