"use client";

import { useDeferredValue, useState } from "react";
import { type ProjectFormProps, SAVED, textOf } from "@/components/project/project-forms";
import { TextAreaInput, TextInput } from "@/components/ui/fields";
import { formatCount, formatCredits, formatNumber } from "@/components/ui/format-number";
import { SettingsForm } from "@/components/ui/settings-form";
import type { UpdateProjectInput } from "@/lib/contracts/projects";

interface ModelKnowledge {
  defaultModel: string;
  estimateTokens: (text: string) => number;
  /** Those whose window and price are known. */
  modelNames: string[];
  factsOfModel: (name: string) => ModelFacts;
}

interface AnswersFormProps extends ProjectFormProps, Omit<ModelKnowledge, "defaultModel"> {}

/** What a model can take and costs. */
interface ModelFacts {
  isListed: boolean;
  contextWindowTokens: number;
  creditsPerThousandTokensIn: number;
  creditsPerThousandTokensOut: number;
  isVisual: boolean;
}

/** Which model answers, and what it is told first. */
export function ProjectAnswersForm({ project, save, ...knowledge }: AnswersFormProps) {
  const { model, systemPrompt, defaultModel } = project;
  return (
    <SettingsForm<UpdateProjectInput>
      {...SAVED}
      read={(form) => ({ model: textOf(form, "model"), systemPrompt: textOf(form, "systemPrompt") })}
      save={save}
      toTexts={(values) => ({
        Model: (values.model ?? "").trim(),
        "System prompt": (values.systemPrompt ?? "").trim(),
      })}
      values={{ model, systemPrompt }}
    >
      {(values) => <AnswerFields {...knowledge} defaultModel={defaultModel} values={values} />}
    </SettingsForm>
  );
}

function AnswerFields(props: ModelKnowledge & { values: UpdateProjectInput }) {
  const { values, defaultModel, estimateTokens, modelNames, factsOfModel } = props;
  const [model, setModel] = useState(values.model ?? "");
  const [systemPrompt, setSystemPrompt] = useState(values.systemPrompt ?? "");
  const tokens = estimateTokens(useDeferredValue(systemPrompt));
  return (
    <>
      <div className="max-w-[440px]">
        <TextInput
          defaultValue={values.model ?? ""}
          description={describeModel(model.trim(), defaultModel, factsOfModel)}
          isMono
          label="Model"
          maxLength={200}
          name="model"
          onChange={setModel}
          placeholder={defaultModel}
          suggestions={modelNames}
        />
      </div>
      <TextAreaInput
        defaultValue={values.systemPrompt ?? ""}
        description={
          <>
            Goes along with every call, before templates and knowledge.
            {tokens > 0 ? ` About ${formatCount(tokens, "token")} each time.` : null}
          </>
        }
        label="System prompt"
        maxLength={20_000}
        name="systemPrompt"
        onChange={setSystemPrompt}
        placeholder="You answer for Acme's customers, in their language, in two or three sentences."
        rows={8}
      />
    </>
  );
}

function describeModel(name: string, defaultName: string, factsOfModel: ModelKnowledge["factsOfModel"]): string {
  const model = factsOfModel(name || defaultName);
  const subject = name === "" ? `Left empty: ${defaultName}. ` : "";
  const window = `Reads ${formatNumber(model.contextWindowTokens)} tokens at once${model.isVisual ? "" : ", and no pictures"}`;
  const price = `1,000 tokens cost ${formatCredits(model.creditsPerThousandTokensIn)} in, ${model.creditsPerThousandTokensOut} out`;
  if (model.isListed) return `${subject}${window}; ${price}.`;
  return `${subject}This service does not know it, and takes it for one that reads ${formatNumber(model.contextWindowTokens)} tokens; ${price}. Unless the model server knows the name, every call fails.`;
}
