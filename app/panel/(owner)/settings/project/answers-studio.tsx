"use client";

import type { ComponentProps } from "react";
import { ProjectAnswersForm } from "@/components/project/project-answers-form";
import { findModel, modelNames, type OwnModels } from "@/lib/domain/model-catalog";
import { estimateTokens } from "@/lib/domain/token-estimate";

interface AnswersStudioProps extends Pick<ComponentProps<typeof ProjectAnswersForm>, "project" | "save"> {
  /** Those of the operator's settings, which no browser has. */
  ownModels: OwnModels;
}

/** The form of model and system prompt, counting tokens and finding models as the service does. */
export function AnswersStudio({ ownModels, ...props }: AnswersStudioProps) {
  const names = modelNames(ownModels);
  const factsOfModel = (name: string) => {
    const model = findModel(name, ownModels);
    return { ...model, isListed: model.isKnown || [name.toLowerCase(), model.id].some((each) => names.includes(each)) };
  };
  return (
    <ProjectAnswersForm {...props} estimateTokens={estimateTokens} factsOfModel={factsOfModel} modelNames={names} />
  );
}
