"use client";

import type { TemplateExamples } from "@/components/templates/template-examples";
import type { TemplateRules } from "@/components/templates/template-rules";
import { TemplateWorkbench, type TemplateWorkbenchProps } from "@/components/templates/template-workbench";
import { renderTemplateCall } from "@/lib/domain/template-call";
import { MAX_PROMPT_TEMPLATE_CHARACTERS, MAX_TEMPLATE_EXAMPLES } from "@/lib/domain/template-limits";
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

interface TemplateStudioProps extends Omit<TemplateWorkbenchProps, "rules" | "maxCharacters" | "examples"> {
  examples?: Omit<TemplateExamples, "max">;
}

/** The template editor with the service's own rules, so that its preview is what a call says. */
export function TemplateStudio({ examples, ...props }: TemplateStudioProps) {
  return (
    <TemplateWorkbench
      {...props}
      examples={examples && { ...examples, max: MAX_TEMPLATE_EXAMPLES }}
      maxCharacters={MAX_PROMPT_TEMPLATE_CHARACTERS}
      rules={RULES}
    />
  );
}
