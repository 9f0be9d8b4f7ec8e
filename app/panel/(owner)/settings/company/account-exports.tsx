import { exportAccount } from "@/app/panel/(owner)/settings/company/actions";
import { DataRequestList } from "@/components/end-users/data-request-list";
import { LiveRefresh } from "@/components/home/live-refresh";
import { Section } from "@/components/ui/section";
import { ActButton } from "@/components/webhooks/act-button";
import type { AccountExport } from "@/lib/contracts/account-exports";
import { canSendMail } from "@/lib/services/mail/can-send-mail";

const OPEN_REFRESH_MS = 1_500;

/** Exporting all that the account has, with receipts; goes on by itself while one is being made. */
export function AccountExports({ exports }: { exports: AccountExport[] }) {
  const isOpen = exports.some(({ state }) => state === "queued" || state === "running");
  return (
    <Section
      isFramed
      text="One file of JSON lines with every row of all projects: sessions, messages, templates, knowledge, end users, calls, deliveries, usage, credits, people. Files are in it by address; keys, secrets and passwords are not. Only owners can download it, for seven days, or until there is a newer one or an end user is erased."
      title="Export everything"
    >
      {isOpen ? <LiveRefresh everyMs={OPEN_REFRESH_MS} /> : null}
      {isOpen ? (
        <p className="text-muted">
          A file is being made. This page shows it when it is ready
          {canSendMail() ? ", and whoever asked for it gets a mail" : null}.
        </p>
      ) : (
        <ActButton action={exportAccount.bind(null, {})} label="Export" success="The file is being made" />
      )}
      {exports.length > 0 ? (
        <div className="mt-5">
          <DataRequestList downloadHref={hrefOf} requests={exports.map(toReceipt)} />
        </div>
      ) : null}
    </Section>
  );
}

const hrefOf = (id: string) => `/panel/settings/company/exports/${id}`;

function toReceipt(one: AccountExport) {
  return { ...one, kind: "export", endUserId: null } as const;
}
