import { buttonVariants } from "@heroui/styles";
import { cancelSession, deleteSession, retrySession } from "@/app/panel/(owner)/sessions/actions";
import { continuationAddress, repetitionAddress } from "@/components/playground/playground-address";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { DeleteButton } from "@/components/ui/delete-button";
import { DownloadLink } from "@/components/ui/download-link";
import { NearLink } from "@/components/ui/near-link";
import { ActButton } from "@/components/webhooks/act-button";
import type { SessionDetail } from "@/lib/contracts/sessions";
import type { PanelContext } from "@/lib/panel/panel-context";

interface SessionActionsProps {
  context: PanelContext;
  session: SessionDetail;
  /** Whether its last call got no answer, and a message can say it once more. */
  isToRepeat: boolean;
}

/** What its reader may do with a session. */
export function SessionActions({
  context: { can },
  session: { id, openTurns, endUserId, error },
  isToRepeat,
}: SessionActionsProps) {
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
      {error !== null && openTurns === 0 && can("sessions.retry") ? (
        <ActButton action={retrySession.bind(null, { sessionId: id })} label="Try again" success="It runs again" />
      ) : null}
      <DownloadLink href={`${PANEL_ADDRESSES.session(id)}/conversation.md`}>Download</DownloadLink>
      {can("playground.use") ? (
        <NearLink
          className={buttonVariants({ variant: "outline", size: "sm" })}
          href={isToRepeat ? repetitionAddress(id) : continuationAddress({ sessionId: id, endUserId })}
        >
          {isToRepeat ? "Change it in the playground" : "Continue in the playground"}
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
