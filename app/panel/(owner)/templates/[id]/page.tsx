import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { releaseOf } from "@/app/panel/(owner)/templates/[id]/release-of";
import { TemplateEditor } from "@/app/panel/(owner)/templates/[id]/template-editor";
import { TemplateUse } from "@/app/panel/(owner)/templates/[id]/template-use";
import { TemplateVersions } from "@/app/panel/(owner)/templates/[id]/template-versions";
import { deleteTemplateAction } from "@/app/panel/(owner)/templates/actions";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { TemplateRelease } from "@/components/templates/template-release";
import { DeleteButton } from "@/components/ui/delete-button";
import { IdText } from "@/components/ui/id-text";
import { PageHeader } from "@/components/ui/page-header";
import { TabLinks } from "@/components/ui/tab-links";
import type { Template } from "@/lib/contracts/template-records";
import { AppError } from "@/lib/domain/errors";
import { isId } from "@/lib/domain/ids";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePanel } from "@/lib/panel/require-panel";
import { getTemplate } from "@/lib/services/templates/get-template";

const PATH = "/panel/templates";

/** Looked up once for the page and its title. */
const findTemplate = cache(async (id: string) => {
  const context = await requirePanel("templates.view");
  if (!isId("template", id)) notFound();
  const template = await getTemplate(context.principal, id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "NOT_FOUND") notFound();
    throw error;
  });
  return { context, template };
});

export const generateMetadata = orSayAway(async ({ params }: PageProps<"/panel/templates/[id]">): Promise<Metadata> => {
  const { template } = await findTemplate((await params).id);
  return { title: template.name };
});

/** One template: its editor, what it said before, and how it is used. */
export default orSayAway(async function TemplatePage({ params, searchParams }: PageProps<"/panel/templates/[id]">) {
  const [{ id }, query] = await Promise.all([params, searchParams]);
  const { context, template } = await findTemplate(id);
  const tab = query.tab === "versions" || query.tab === "use" ? query.tab : "editor";
  const path = PANEL_ADDRESSES.template(id);
  return (
    <>
      <TemplateHeader mayDelete={context.can("templates.delete")} template={template} />
      <TemplateRelease release={releaseOf(template, context.can)} template={template} />
      <TabLinks
        current={tab}
        label="Parts of the template"
        params={{}}
        path={path}
        tabs={[
          { id: "editor", name: "Editor" },
          { id: "versions", name: "Versions", count: template.version },
          { id: "use", name: "Use", count: template.usageCount },
        ]}
      />
      {tab === "editor" ? <TemplateEditor context={context} key={id} path={PATH} template={template} /> : null}
      {tab === "versions" ? <TemplateVersions context={context} query={query} template={template} /> : null}
      {tab === "use" ? <TemplateUse principal={context.principal} templateId={id} /> : null}
    </>
  );
});

function TemplateHeader({ template, mayDelete }: { template: Template; mayDelete: boolean }) {
  return (
    <PageHeader
      action={
        mayDelete ? (
          <DeleteButton
            action={deleteTemplateAction.bind(null, { templateId: template.id })}
            backHref={PATH}
            name={template.name}
            text="Calls that name it are refused from then on (404). Sessions that used it keep their history."
            what="template"
          />
        ) : undefined
      }
      back={{ href: PATH, name: "Templates" }}
      purpose={
        <span className="flex flex-wrap items-center gap-x-4">
          <IdText id={template.id} label="the template's id" />
          <IdText id={template.slug} label="the template's slug" />
        </span>
      }
      title={<bdi>{template.name}</bdi>}
    />
  );
}
