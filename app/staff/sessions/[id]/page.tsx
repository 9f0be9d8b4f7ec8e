import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CompanyLink } from "@/components/staff/company-link";
import { STAFF_ADDRESSES } from "@/components/staff/staff-addresses";
import { StaffTurnFacts } from "@/components/staff/staff-turn-facts";
import { formatNumber } from "@/components/ui/format-number";
import { IdText } from "@/components/ui/id-text";
import { KeyValues } from "@/components/ui/key-values";
import { NearLink } from "@/components/ui/near-link";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import { StatusDot } from "@/components/ui/status-dot";
import { TimeText } from "@/components/ui/time-text";
import type { StaffSession } from "@/lib/contracts/staff-sessions";
import { AppError } from "@/lib/domain/errors";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requireStaff } from "@/lib/panel/require-staff";
import { getStaffSession } from "@/lib/services/staff/get-staff-session";

export const metadata: Metadata = { title: "Session" };

/** How a session went, for a customer who says that its results are bad: in figures, without a word of what was said. */
export default orSayAway(async function StaffSessionPage({ params }: PageProps<"/staff/sessions/[id]">) {
  await requireStaff("staff.logs.view");
  const session = await getStaffSession((await params).id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "NOT_FOUND") notFound();
    throw error;
  });
  const { turns, turnCount } = session;
  return (
    <>
      <PageHeader
        action={<StatusDot status={session.status} />}
        back={{ href: "/staff/logs", name: "Logs" }}
        purpose="How it went, in figures. What was said, and how files are called, stays the customer’s."
        title="Session"
      />
      <SessionFacts session={session} />
      <Section
        text={
          turns.length < turnCount
            ? `The newest ${formatNumber(turns.length)} of ${formatNumber(turnCount)}.`
            : undefined
        }
        title="Turns, newest first"
      >
        <div className="grid gap-4">
          {turns.map((turn) => (
            <StaffTurnFacts key={turn.id} turn={turn} />
          ))}
        </div>
      </Section>
    </>
  );
});

function SessionFacts({ session }: { session: StaffSession }) {
  const { id, accountId, companyName, projectId, projectName, kind, createdAt, lastActivityAt } = session;
  const ways = [
    { name: "Its calls", href: STAFF_ADDRESSES.callsOfSession(id) },
    { name: "Its deliveries", href: STAFF_ADDRESSES.deliveriesOfSession(id) },
  ];
  return (
    <Section isFramed title="What it is">
      <KeyValues
        items={[
          { name: "Id", value: <IdText id={id} label="the session's id" /> },
          { name: "Account", value: <CompanyLink accountId={accountId} companyName={companyName} /> },
          {
            name: "Project",
            value: (
              <>
                <bdi>{projectName}</bdi> <IdText id={projectId} label="the project's id" />
              </>
            ),
          },
          { name: "Kind", value: kind === "chat" ? "Chat" : "Processing" },
          { name: "Began", value: <TimeText at={createdAt} kind="exact" /> },
          { name: "Last activity", value: <TimeText at={lastActivityAt} kind="exact" /> },
          {
            name: "Logs",
            value: (
              <span className="flex flex-wrap gap-x-4">
                {ways.map(({ name, href }) => (
                  <NearLink className="text-accent-text hover:underline" href={href} key={href}>
                    {name}
                  </NearLink>
                ))}
              </span>
            ),
          },
        ]}
      />
    </Section>
  );
}
