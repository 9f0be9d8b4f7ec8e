"use client";

import type { TemplateRules } from "@/components/templates/template-rules";
import { TemplateWorkbench, type TemplateWorkbenchProps } from "@/components/templates/template-workbench";
import { renderTemplateCall } from "@/lib/domain/template-call";
import { MAX_PROMPT_TEMPLATE_CHARACTERS } from "@/lib/domain/template-limits";
import { findFailedPlaceholders, findPlaceholders } from "@/lib/domain/template-render";
import { estimateTokens } from "@/lib/domain/token-estimate";

const RULES: TemplateRules = {
  findPlaceholders,
  findFailedPlaceholders,
  estimateTokens,
  render: (template, templateVars, message) =>
    renderTemplateCall(template, {
      inputNames: ["message"],
      isInputKept: true,
      templateVars,
      ...(message !== "" && { input: message }),
    }),
};

/** The template editor with the service's own rules, so that its preview is what a call says. */
export function TemplateStudio(props: Omit<TemplateWorkbenchProps, "rules" | "maxCharacters">) {
  return <TemplateWorkbench {...props} maxCharacters={MAX_PROMPT_TEMPLATE_CHARACTERS} rules={RULES} />;
}
