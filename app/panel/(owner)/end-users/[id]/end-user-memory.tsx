import { forgetMemory, saveMemory } from "@/app/panel/(owner)/end-users/actions";
import { MemoryEditor } from "@/components/end-users/memory-editor";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import type { AddressParams } from "@/components/ui/address";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { EmptyState } from "@/components/ui/empty-state";
import { IdText } from "@/components/ui/id-text";
import { MarkdownView } from "@/components/ui/markdown-view";
import { Section } from "@/components/ui/section";
import { TimeText } from "@/components/ui/time-text";
import { VersionBrowser } from "@/components/ui/version-browser";
import { VersionComparison } from "@/components/ui/version-comparison";
import type { MemoryProfile, MemoryVersion } from "@/lib/contracts/knowledge";
import { memoryPathOf } from "@/lib/domain/knowledge-path";
import { MAX_PROFILE_CHARACTERS } from "@/lib/domain/memory-rules";
import { orSayAway } from "@/lib/panel/or-say-away";
import type { PanelContext } from "@/lib/panel/panel-context";
import { getMemory } from "@/lib/services/memory/get-memory";
import { listMemoryVersions } from "@/lib/services/memory/list-memory-versions";

interface EndUserMemoryProps {
  context: PanelContext;
  endUserId: string;
  query: AddressParams;
}

/** What is remembered of an end user, and how it came to be so. */
export const EndUserMemory = orSayAway(async function EndUserMemory({ context, endUserId, query }: EndUserMemoryProps) {
  const { principal, project, can } = context;
  const profile = await getMemory(principal, endUserId);
  const isKnown = profile !== null && profile.content !== "";
  return (
    <div>
      {project.apiMemoryPerUser ? null : (
        <p className="mb-5 text-muted">
          Memory is off for this project: nothing is learned, and what stands here is not used. It is switched on in the
          project's settings.
        </p>
      )}
      <Section
        action={isKnown && can("memory.forget") ? <ForgetButton endUserId={endUserId} /> : null}
        text={
          <>
            Goes along with each call for this end user, as{" "}
            <span className="font-mono text-code [overflow-wrap:anywhere]">
              .brain/api/db/{memoryPathOf(endUserId)}
            </span>
          </>
        }
        title="What is remembered"
      >
        {profile?.forgottenAt ? (
          <p className="mb-3 text-code text-muted">
            Forgotten <TimeText at={profile.forgottenAt} />. What was said before is not learned again.
          </p>
        ) : null}
        {can("memory.edit") ? (
          <MemoryEditor
            endUserId={endUserId}
            maxCharacters={MAX_PROFILE_CHARACTERS}
            profile={profile}
            save={saveMemory}
          />
        ) : (
          <ReadOnlyProfile content={profile?.content ?? ""} />
        )}
      </Section>
      {profile ? <Versions endUserId={endUserId} principal={principal} profile={profile} query={query} /> : null}
    </div>
  );
});

function ForgetButton({ endUserId }: { endUserId: string }) {
  return (
    <ConfirmButton
      action={forgetMemory.bind(null, { endUserId })}
      confirmLabel="Forget"
      label="Forget"
      name={endUserId}
      success="Forgotten"
      text="The profile and all its versions go for good. Sessions stay, and nothing said in them until now is learned again."
      title="Forget what is remembered?"
      variant="danger-soft"
    />
  );
}

/** For whoever may not change it. */
function ReadOnlyProfile({ content }: { content: string }) {
  if (content === "") {
    return (
      <EmptyState
        text="The AI writes down what lasts, such as a name, a language or a wish, when a turn has ended."
        title="Nothing is remembered"
      />
    );
  }
  return (
    <div className="rounded-lg border border-border px-4 py-3">
      <MarkdownView text={content} />
    </div>
  );
}

interface VersionsProps extends Omit<EndUserMemoryProps, "context"> {
  principal: PanelContext["principal"];
  profile: MemoryProfile;
}

function Versions({ principal, endUserId, profile, query }: VersionsProps) {
  return (
    <VersionBrowser<MemoryVersion>
      compare={({ shown, previous, ...compared }) => (
        <VersionComparison
          {...compared}
          current={comparedOf(profile)}
          previous={previous && comparedOf(previous)}
          shown={{ ...comparedOf(shown), createdAt: shown.createdAt }}
        >
          <Origin version={shown} />
        </VersionComparison>
      )}
      current={profile.version}
      frame={(versions) => (
        <Section text="Each time something was learned or changed by hand." title="Versions">
          {versions}
        </Section>
      )}
      list={orSayAway((page) => listMemoryVersions(principal, endUserId, page))}
      path={PANEL_ADDRESSES.endUser(endUserId)}
      query={query}
      textOf={({ content }) => content}
    />
  );
}

/** Which session taught it. */
function Origin({ version: { sessionId } }: { version: MemoryVersion }) {
  if (sessionId === null) return <p className="mt-1 text-muted">Written by a person.</p>;
  return (
    <p className="mt-1 flex min-w-0 items-center gap-2 text-muted">
      Learned from <IdText href={PANEL_ADDRESSES.session(sessionId)} id={sessionId} label="the session's id" />
    </p>
  );
}

function comparedOf({ version, content }: { version: number; content: string }) {
  return { version, parts: { Profile: content } };
}
