import { createTemplateAction, saveTemplateAction, testTemplateAction } from "@/app/panel/(owner)/templates/actions";
import {
  deleteExampleAction,
  keepExampleAction,
  quoteExamplesAction,
  saveExampleAction,
} from "@/app/panel/(owner)/templates/examples/actions";
import { TemplateStudio } from "@/app/panel/(owner)/templates/template-studio";
import { testRefusalOf } from "@/app/panel/(owner)/templates/test-refusal";
import type { Template } from "@/lib/contracts/template-records";
import { orSayAway } from "@/lib/panel/or-say-away";
import type { PanelContext } from "@/lib/panel/panel-context";
import { listExamples } from "@/lib/services/templates/examples/list-examples";

interface TemplateEditorProps {
  context: PanelContext;
  template: Template;
  /** Where templates are shown. */
  path: string;
}

/** The part of the page that the template is written and tried in. */
export const TemplateEditor = orSayAway(async function TemplateEditor({
  context,
  template,
  path,
}: TemplateEditorProps) {
  const { principal, can } = context;
  return (
    <TemplateStudio
      canSave={can("templates.update")}
      create={createTemplateAction}
      examples={{
        templateId: template.id,
        list: await listExamples(principal, template.id),
        mayKeep: can("templates.keep-example"),
        mayDelete: can("templates.delete-example"),
        keep: keepExampleAction,
        save: saveExampleAction,
        remove: deleteExampleAction,
        quote: quoteExamplesAction,
      }}
      path={path}
      save={saveTemplateAction}
      template={template}
      test={testTemplateAction}
      testRefusal={testRefusalOf(context)}
    />
  );
});
