import { buttonVariants } from "@heroui/styles";
import type { Metadata } from "next";
import type { ReactNode } from "react";
import { uploadTemplateAction } from "@/app/panel/(owner)/templates/actions";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { TemplateTable } from "@/components/templates/template-table";
import { UploadTemplateButton } from "@/components/templates/upload-template-button";
import type { AddressParams } from "@/components/ui/address";
import { EmptyState } from "@/components/ui/empty-state";
import { FilterBar } from "@/components/ui/filter-bar";
import { NearLink } from "@/components/ui/near-link";
import { PageHeader } from "@/components/ui/page-header";
import { Pagination } from "@/components/ui/pagination";
import { SharedAttempt } from "@/components/ui/shared-attempt";
import type { ProjectScope } from "@/lib/domain/principal";
import { MAX_TEMPLATE_FILE_BYTES } from "@/lib/domain/template-limits";
import { findPlaceholders } from "@/lib/domain/template-render";
import { listAt } from "@/lib/panel/offset-of";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePanel } from "@/lib/panel/require-panel";
import { listTemplateTags } from "@/lib/services/templates/list-template-tags";
import { listTemplateUse } from "@/lib/services/templates/list-template-use";
import { listTemplates } from "@/lib/services/templates/list-templates";

export const metadata: Metadata = { title: "Templates" };

const PATH = "/panel/templates";
const PAGE_SIZE = 50;
const MAX_FILTER_CHARACTERS = 200;

/** Reusable prompts with variables (§2.3). */
export default orSayAway(async function TemplatesPage({ searchParams }: PageProps<"/panel/templates">) {
  const [{ principal, can }, params] = await Promise.all([requirePanel("templates.view"), searchParams]);
  const [q, tag] = [textOf(params.q), textOf(params.tag)];
  const [{ rows, pagination }, tags] = await Promise.all([
    readTemplates(principal, { q, tag }, params.offset),
    listTemplateTags(principal),
  ]);
  const isFiltered = q !== undefined || tag !== undefined;
  const buttons = can("templates.create") ? (
    <>
      <UploadTemplateButton maxBytes={MAX_TEMPLATE_FILE_BYTES} path={PATH} upload={uploadTemplateAction} />
      <NearLink className={buttonVariants({ variant: "primary", size: "sm" })} href={`${PATH}/new`}>
        Create template
      </NearLink>
    </>
  ) : null;
  return (
    <SharedAttempt>
      <PageHeader
        action={buttons}
        purpose="Prompts with variables. A call names one by templateId and passes what changes in templateVars."
        title="Templates"
      />
      {isFiltered || pagination.total > 0 ? (
        <FilterBar
          filters={[
            { kind: "text", param: "q", label: "Text", placeholder: "In name, description or slug" },
            { kind: "choice", param: "tag", label: "Tag", choices: tags.map((name) => ({ id: name, name })) },
          ]}
        />
      ) : null}
      <TemplateTable
        empty={<NoTemplates isFiltered={isFiltered}>{buttons}</NoTemplates>}
        hrefOf={({ id }) => PANEL_ADDRESSES.template(id)}
        templates={rows}
      />
      {pagination.total > PAGE_SIZE ? <Pagination pagination={pagination} params={params} path={PATH} /> : null}
    </SharedAttempt>
  );
});

/** A page of them, with what the list says of each. */
async function readTemplates(
  scope: ProjectScope,
  filters: { q?: string; tag?: string },
  offset: AddressParams[string],
) {
  const { data, pagination } = await listAt(offset, PAGE_SIZE, (part) => listTemplates(scope, { ...filters, ...part }));
  const ids = data.map(({ id }) => id);
  const use = new Map((await listTemplateUse(scope, ids)).map((item) => [item.templateId, item]));
  const rows = data.map((item) => ({
    ...item,
    placeholders: findPlaceholders(item.promptTemplate),
    lastUsedAt: use.get(item.id)?.lastUsedAt ?? null,
  }));
  return { rows, pagination };
}

function NoTemplates({ isFiltered, children }: { isFiltered: boolean; children: ReactNode }) {
  if (isFiltered) return <EmptyState text="No template has all of what the filters ask for." title="Nothing found" />;
  return (
    <EmptyState
      text="Write a prompt once, put {{variables}} where it changes, and let every call use it by its id. Changes hold from the next call on, without a change of your code."
      title="No templates yet"
    >
      {children}
    </EmptyState>
  );
}

function textOf(value: string | string[] | undefined): string | undefined {
  const text = typeof value === "string" ? value.replaceAll("\0", "").trim().slice(0, MAX_FILTER_CHARACTERS) : "";
  return text === "" ? undefined : text.toWellFormed();
}
