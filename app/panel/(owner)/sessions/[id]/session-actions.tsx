import { buttonVariants } from "@heroui/styles";
import { cancelSession, deleteSession } from "@/app/panel/(owner)/sessions/actions";
import { continuationAddress, MAX_VALUE_CHARACTERS } from "@/components/playground/playground-address";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { DeleteButton } from "@/components/ui/delete-button";
import { DownloadLink } from "@/components/ui/download-link";
import { NearLink } from "@/components/ui/near-link";
import type { SessionDetail } from "@/lib/contracts/sessions";
import type { PanelContext } from "@/lib/panel/panel-context";

interface SessionActionsProps {
  context: PanelContext;
  session: SessionDetail;
}

/** What its reader may do with a session. */
export function SessionActions({ context: { can }, session }: SessionActionsProps) {
  const { id, openTurns, endUserId } = session;
  const again = inputToRepeat(session);
  return (
    <>
      {openTurns > 0 && can("sessions.cancel") ? (
        <ConfirmButton
          action={cancelSession.bind(null, { sessionId: id })}
          confirmLabel="Stop it"
          label="Stop"
          success="Stopped"
          text="What is running or waiting in this session ends as canceled and is not charged."
          title="Stop the work?"
        />
      ) : null}
      <DownloadLink href={`${PANEL_ADDRESSES.session(id)}/conversation.md`}>Download</DownloadLink>
      {can("playground.use") ? (
        <NearLink
          className={buttonVariants({ variant: "outline", size: "sm" })}
          href={continuationAddress({ sessionId: id, endUserId, message: again })}
        >
          {again === null ? "Continue in the playground" : "Try again in the playground"}
        </NearLink>
      ) : null}
      {can("sessions.delete") ? (
        <DeleteButton
          action={deleteSession.bind(null, { sessionId: id })}
          backHref="/panel/sessions"
          name={id}
          text="Its messages, files, events and deliveries are removed for good, and what is running is stopped. What it cost stays in your usage."
          what="session"
        />
      ) : null}
    </>
  );
}

/**
 * What was said last and got no answer: its files are in the session, so said once more it is the same call. Null where nothing
 * is to be repeated, where it is too long for an address, and of an answer by a schema or to inline text, which are that call's alone.
 */
function inputToRepeat({ turns, turnCount }: SessionDetail): string | null {
  const last = turns.at(-1);
  if (!last || last.position + 1 !== turnCount || last.isBySchema || last.fileContent) return null;
  const hasNoAnswer = last.status === "failed" || last.status === "canceled";
  return hasNoAnswer && last.input.length <= MAX_VALUE_CHARACTERS ? last.input : null;
}
