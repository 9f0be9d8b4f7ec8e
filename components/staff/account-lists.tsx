import { DataTable, type TableColumn } from "@/components/ui/data-table";
import { IdText } from "@/components/ui/id-text";
import { monthCredits } from "@/components/ui/month-credits";
import { StatusDot } from "@/components/ui/status-dot";
import { TimeText } from "@/components/ui/time-text";
import type { StaffAccountDetail } from "@/lib/contracts/staff";

/** What belongs to an account, as tables. */

type Member = StaffAccountDetail["members"][number];
type Project = StaffAccountDetail["projects"][number];

const MEMBERS: TableColumn<Member>[] = [
  {
    id: "email",
    name: "Person",
    cell: ({ email, name }) => (
      <>
        {email} {name ? <bdi className="text-muted">{name}</bdi> : null}
      </>
    ),
  },
  { id: "role", name: "Role", cell: ({ role }) => role },
  {
    id: "seen",
    name: "Last sign-in",
    cell: ({ lastSignInAt }) =>
      lastSignInAt ? <TimeText at={lastSignInAt} /> : <span className="text-muted">Never</span>,
  },
  {
    id: "id",
    name: "Id",
    cell: ({ userId, email }) => <IdText id={userId} label={`the id of ${email}`} />,
    from: "lg",
  },
];

export function MemberTable({ members }: { members: Member[] }) {
  return (
    <DataTable
      columns={MEMBERS}
      empty={<p className="text-muted">Nobody belongs to this account.</p>}
      label="People"
      rowKey={({ userId }) => userId}
      rows={members}
    />
  );
}

const PROJECTS: TableColumn<Project>[] = [
  {
    id: "name",
    name: "Project",
    cell: ({ name }) => (
      <bdi className="align-bottom sm:inline-block sm:max-w-full sm:truncate" title={name}>
        {name}
      </bdi>
    ),
  },
  {
    id: "api",
    name: "API",
    cell: ({ apiEnabled }) => <StatusDot status={apiEnabled ? "active" : "off"} word={apiEnabled ? "on" : "off"} />,
  },
  {
    id: "credits",
    name: "Credits",
    cell: ({ creditsUsed, creditsPerMonth }) => monthCredits(creditsUsed, creditsPerMonth),
  },
  { id: "created", name: "Created", cell: ({ createdAt }) => <TimeText at={createdAt} /> },
  { id: "id", name: "Id", cell: ({ id, name }) => <IdText id={id} label={`the id of ${name}`} />, from: "lg" },
];

export function ProjectTable({ projects }: { projects: Project[] }) {
  return (
    <DataTable
      columns={PROJECTS}
      empty={<p className="text-muted">It has no project.</p>}
      label="Projects"
      rowKey={({ id }) => id}
      rows={projects}
    />
  );
}
