import { ConfirmButton } from "@/components/ui/confirm-button";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { Template } from "@/lib/contracts/template-records";

/** Bound to the version that calls shall use; null: the newest. */
type Release = (version: number | null) => () => Promise<ActionResult<unknown>>;

interface TemplateReleaseProps {
  template: Pick<Template, "version" | "liveVersion">;
  /** Absent: the reader may not. */
  release?: Release;
}

/** Which version calls use where somebody chose one, what waits since, and the way to let it through. */
export function TemplateRelease({ template: { version, liveVersion }, release }: TemplateReleaseProps) {
  if (liveVersion === undefined) return null;
  const isBehind = liveVersion < version;
  return (
    <section
      aria-label="What calls use"
      className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-xl border border-border bg-surface p-4"
    >
      <p className="min-w-0 flex-1 basis-80 text-pretty">
        <span className="font-medium">Calls use version {liveVersion}.</span>{" "}
        <span className="text-muted">
          {isBehind
            ? `What was saved since, up to version ${version}, waits until it is released. Calls that name a version get that one.`
            : "What is saved from here on waits until it is released. Calls that name a version get that one."}
        </span>
      </p>
      {release ? (
        <div className="flex flex-wrap gap-2">
          {isBehind ? <ReleaseButton label={`Release version ${version}`} release={release} version={version} /> : null}
          <ConfirmButton
            action={release(null)}
            confirmLabel="Follow the newest"
            isDestructive={false}
            label="Follow the newest"
            success="Calls use the newest version"
            text={`${isBehind ? `From the next call on they use version ${version}, and then` : "From then on they use"} each version from the moment it is saved.`}
            title="Let calls follow the newest version?"
            variant="ghost"
          />
        </div>
      ) : null}
    </section>
  );
}

/** The button that lets calls use one version. */
export function ReleaseButton({ version, label, release }: { version: number; label: string; release: Release }) {
  return (
    <ConfirmButton
      action={release(version)}
      confirmLabel="Let calls use it"
      isDestructive={false}
      label={label}
      success={`Calls use version ${version}`}
      text={`From the next call on, calls that name no version use version ${version}. What is saved later waits until it is released.`}
      title={`Let calls use version ${version}?`}
    />
  );
}
