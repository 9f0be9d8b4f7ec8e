import type { ReactNode } from "react";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { DiffView } from "@/components/ui/diff-view";
import { NearLink } from "@/components/ui/near-link";
import { Section } from "@/components/ui/section";
import { TimeText } from "@/components/ui/time-text";
import type { ActionResult } from "@/lib/contracts/action-result";

/** A version as texts by their title: what is compared part by part. */
export interface ComparedVersion {
  version: number;
  parts: Record<string, string>;
}

interface VersionComparisonProps {
  shown: ComparedVersion & { createdAt: string };
  previous: ComparedVersion | null;
  current: ComparedVersion;
  /** With which of the two it is compared. */
  with: "previous" | "current";
  hrefWith: (other: "previous" | "current") => string;
  /** Absent: it is the current one, or the reader may not. */
  restore?: () => Promise<ActionResult<{ version: number }>>;
  /** What becomes of a restored one: "holds from the next call on". */
  heldFrom?: string;
  /** Further facts. */
  children?: ReactNode;
}

/** What one version changed, or what brings it back would change, and the button that does. */
export function VersionComparison(props: VersionComparisonProps) {
  const { shown, previous, current, hrefWith, restore, children, heldFrom = "holds from the next call on" } = props;
  const isCurrent = shown.version === current.version;
  const isWithCurrent = !isCurrent && (props.with === "current" || previous === null);
  const before = isWithCurrent ? current : previous;
  return (
    <>
      <p className="text-muted">
        Made <TimeText at={shown.createdAt} kind="exact" />
        {isCurrent ? ". It is the current one." : "."}
      </p>
      {children}
      {previous && !isCurrent ? (
        <nav aria-label="Compared with" className="mt-4 flex flex-wrap gap-1">
          <OtherVersion href={hrefWith("previous")} isShown={!isWithCurrent}>
            Since version {previous.version}
          </OtherVersion>
          <OtherVersion href={hrefWith("current")} isShown={isWithCurrent}>
            From the current version {current.version}
          </OtherVersion>
        </nav>
      ) : null}
      <div className="mt-5">
        {Object.entries(shown.parts).map(([title, text]) => (
          <Section key={title} title={title}>
            <DiffView
              after={text}
              before={before?.parts[title] ?? ""}
              label={before ? `${title}: version ${before.version} and version ${shown.version}` : title}
            />
          </Section>
        ))}
      </div>
      {restore ? (
        <div className="mt-6">
          <ConfirmButton
            action={restore}
            confirmLabel="Restore"
            isDestructive={false}
            label="Restore this version"
            success={`Version ${shown.version} restored`}
            text={`What it said becomes version ${current.version + 1} and ${heldFrom}. Version ${current.version} stays in the list.`}
            title={`Restore version ${shown.version}?`}
          />
        </div>
      ) : null}
    </>
  );
}

interface OtherVersionProps {
  href: string;
  /** Whether that is what it is compared with now. */
  isShown: boolean;
  children: ReactNode;
}

function OtherVersion({ href, isShown, children }: OtherVersionProps) {
  return (
    <NearLink
      aria-current={isShown ? "true" : undefined}
      className="flex h-7 items-center rounded-md px-2.5 text-code text-muted hover:text-foreground aria-[current]:bg-default aria-[current]:font-medium aria-[current]:text-foreground"
      href={href}
      scroll={false}
    >
      {children}
    </NearLink>
  );
}
