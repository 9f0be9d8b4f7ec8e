import type { Metadata } from "next";
import { createTemplateAction, saveTemplateAction, testTemplateAction } from "@/app/panel/(owner)/templates/actions";
import { TemplateStudio } from "@/app/panel/(owner)/templates/template-studio";
import { testRefusalOf } from "@/app/panel/(owner)/templates/test-refusal";
import { PageHeader } from "@/components/ui/page-header";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePanel } from "@/lib/panel/require-panel";

export const metadata: Metadata = { title: "New template" };

const PATH = "/panel/templates";

/** A template that is not there yet. */
export default orSayAway(async function NewTemplatePage() {
  const context = await requirePanel("templates.create");
  return (
    <>
      <PageHeader back={{ href: PATH, name: "Templates" }} title="New template" />
      <TemplateStudio
        canSave
        create={createTemplateAction}
        path={PATH}
        save={saveTemplateAction}
        template={null}
        test={testTemplateAction}
        testRefusal={testRefusalOf(context)}
      />
    </>
  );
});
