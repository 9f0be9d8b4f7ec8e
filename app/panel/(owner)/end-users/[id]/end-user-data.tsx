import { eraseEndUser, exportEndUser } from "@/app/panel/(owner)/end-users/actions";
import { DataRequestList } from "@/components/end-users/data-request-list";
import { LiveRefresh } from "@/components/home/live-refresh";
import { PANEL_ADDRESSES } from "@/components/shell/panel-addresses";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { EmptyState } from "@/components/ui/empty-state";
import { Section } from "@/components/ui/section";
import { ActButton } from "@/components/webhooks/act-button";
import type { DataRequest } from "@/lib/contracts/end-users";
import type { PanelContext } from "@/lib/panel/panel-context";

interface EndUserDataProps {
  context: PanelContext;
  endUserId: string;
  /** False: erased. */
  isThere: boolean;
  receipts: DataRequest[];
}

const OPEN_REFRESH_MS = 1_500;

/** Exporting and erasing all that is kept of an end user, with their receipts; goes on by itself while one is open. */
export function EndUserData({ context: { can }, endUserId, isThere, receipts }: EndUserDataProps) {
  const open = receipts.filter(({ state }) => state === "queued" || state === "running");
  const isExporting = open.some(({ kind }) => kind === "export");
  const isErasing = open.some(({ kind }) => kind === "erase");
  return (
    <div>
      {open.length > 0 ? <LiveRefresh everyMs={OPEN_REFRESH_MS} /> : null}
      {isThere && can("end-users.export") ? <ExportSection endUserId={endUserId} isRunning={isExporting} /> : null}
      {isThere && can("end-users.erase") ? <EraseSection endUserId={endUserId} isRunning={isErasing} /> : null}
      <Section
        text={
          isErasing
            ? "An erasure ends some minutes later, after what was still on its way. Where files cannot be removed just then, it goes on by itself until they are."
            : undefined
        }
        title="Receipts"
      >
        {receipts.length > 0 ? (
          <DataRequestList
            downloadHref={can("end-users.export") ? PANEL_ADDRESSES.endUserExport : undefined}
            requests={receipts}
          />
        ) : (
          <EmptyState
            text="What is exported or erased of this end user gets a receipt with counts."
            title="No receipts yet"
          />
        )}
      </Section>
    </div>
  );
}

interface RightProps {
  endUserId: string;
  /** Whether it was asked for and is not done yet. */
  isRunning: boolean;
}

function ExportSection({ endUserId, isRunning }: RightProps) {
  return (
    <Section
      isFramed
      text="One file of JSON lines with every row that is kept of this end user: sessions, messages, memory, calls, deliveries, usage. Their files are in it by address. It can be fetched for seven days, or until there is a newer one."
      title="Export everything"
    >
      {isRunning ? (
        <p className="text-muted">A file is being made. This page shows it when it is ready.</p>
      ) : (
        <ActButton action={exportEndUser.bind(null, { endUserId })} label="Export" success="The file is being made" />
      )}
    </Section>
  );
}

function EraseSection({ endUserId, isRunning }: RightProps) {
  return (
    <Section
      isFramed
      text="Removes every row and file that is kept of this end user. A receipt with counts stays, without their name."
      title="Erase everything"
    >
      {isRunning ? (
        <p className="text-muted">Being erased.</p>
      ) : (
        <ConfirmButton
          action={eraseEndUser.bind(null, { endUserId, confirmation: endUserId })}
          confirmLabel="Erase everything"
          label="Erase"
          name={endUserId}
          success="Being erased"
          text="Sessions with their messages and files, memory, deliveries and log lines go for good; running work stops. Sums of usage stay, without a name. Nothing brings them back."
          title="Erase this end user?"
          variant="danger-soft"
        />
      )}
    </Section>
  );
}
