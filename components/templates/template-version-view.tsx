import { variablesText } from "@/components/templates/template-draft";
import { type ComparedVersion, VersionComparison } from "@/components/ui/version-comparison";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { TemplateVersion } from "@/lib/contracts/template-records";

type Said = Omit<TemplateVersion, "createdAt">;

interface TemplateVersionViewProps {
  version: TemplateVersion;
  previous: Said | null;
  current: Said;
  with: "previous" | "current";
  hrefWith: (other: "previous" | "current") => string;
  restore?: () => Promise<ActionResult<{ version: number }>>;
}

/** One version of a template beside another. */
export function TemplateVersionView({ version, previous, current, ...rest }: TemplateVersionViewProps) {
  return (
    <VersionComparison
      {...rest}
      current={comparedOf(current)}
      previous={previous && comparedOf(previous)}
      shown={{ ...comparedOf(version), createdAt: version.createdAt }}
    />
  );
}

function comparedOf({ version, promptTemplate, variables }: Said): ComparedVersion {
  return { version, parts: { Text: promptTemplate, Defaults: variablesText(variables) } };
}
