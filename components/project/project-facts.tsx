import { formatCount, formatNumber } from "@/components/ui/format-number";
import { KeyValues } from "@/components/ui/key-values";
import type { ProjectRecord } from "@/lib/contracts/projects";

/** A project's settings for those who may not change them. */
export function ProjectFacts({ project }: { project: ProjectRecord }) {
  const { name, model, defaultModel, systemPrompt, apiEnabled, apiMemoryPerUser, retention } = project;
  return (
    <KeyValues
      items={[
        { name: "Name", value: <bdi>{name}</bdi> },
        { name: "Model", value: <span className="font-mono">{model ?? defaultModel}</span> },
        { name: "System prompt", value: <bdi className="whitespace-pre-wrap">{systemPrompt ?? "None"}</bdi> },
        { name: "API", value: apiEnabled ? "On" : "Off" },
        { name: "Memory", value: apiMemoryPerUser ? "End users are remembered" : "Off" },
        { name: "Credits of the project", value: limitOf(project.creditsPerMonth, "a month") },
        { name: "Credits of an end user", value: limitOf(project.endUserCreditsPerMonth, "a month") },
        { name: "Credits of a call", value: limitOf(project.creditsPerCall, "at most") },
        { name: "Sessions", value: keptFor(retention.sessionDays) },
        { name: "Files", value: keptFor(retention.fileDays) },
        { name: "Logs", value: keptFor(retention.logDays) },
      ]}
    />
  );
}

function limitOf(credits: number | null, of: "a month" | "at most"): string {
  return credits === null ? "No limit" : `${formatNumber(credits)} ${of}`;
}

function keptFor(days: number | null): string {
  if (days === null) return "Kept without end";
  return `Kept for ${formatCount(days, "day")}`;
}
