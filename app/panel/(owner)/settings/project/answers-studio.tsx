"use client";

import type { ComponentProps } from "react";
import { ProjectAnswersForm } from "@/components/project/project-forms";
import { estimateTokens } from "@/lib/domain/token-estimate";

/** The form of model and system prompt, counting tokens as the service does. */
export function AnswersStudio(props: Omit<ComponentProps<typeof ProjectAnswersForm>, "estimateTokens">) {
  return <ProjectAnswersForm {...props} estimateTokens={estimateTokens} />;
}
