import { variablesText } from "@/components/templates/template-draft";
import { ReleaseButton } from "@/components/templates/template-release";
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
  /** What calls use that name no version; undefined: the newest. */
  liveVersion: number | undefined;
  /** Absent: the reader may not. */
  release?: (version: number | null) => () => Promise<ActionResult<unknown>>;
}

/** One version of a template beside another. */
export function TemplateVersionView(props: TemplateVersionViewProps) {
  const { version: shown, previous, current, liveVersion, release, ...rest } = props;
  const { version } = shown;
  return (
    <>
      <VersionComparison
        {...rest}
        current={comparedOf(current)}
        heldFrom={liveVersion === undefined ? undefined : "waits until it is released"}
        previous={previous && comparedOf(previous)}
        shown={{ ...comparedOf(shown), createdAt: shown.createdAt }}
      >
        {liveVersion === version ? <p className="mt-1 text-muted">Calls use it.</p> : null}
      </VersionComparison>
      {release && liveVersion !== version ? (
        <div className="mt-3">
          <ReleaseButton label="Let calls use this version" release={release} version={version} />
        </div>
      ) : null}
    </>
  );
}

function comparedOf({ version, promptTemplate, variables }: Said): ComparedVersion {
  return { version, parts: { Text: promptTemplate, Defaults: variablesText(variables) } };
}
