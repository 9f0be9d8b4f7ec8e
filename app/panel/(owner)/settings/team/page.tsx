import type { Metadata } from "next";
import {
  changeRole,
  inviteMember,
  leaveTeam,
  removeMember,
  revokeInvitation,
} from "@/app/panel/(owner)/settings/team/actions";
import { MOST_AT_A_GLANCE } from "@/components/team/at-a-glance";
import { InvitationList } from "@/components/team/invitation-list";
import { InviteForm } from "@/components/team/invite-form";
import { MemberList } from "@/components/team/member-list";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import { orSayAway } from "@/lib/panel/or-say-away";
import { requirePanel } from "@/lib/panel/require-panel";
import { listKeysByMaker } from "@/lib/services/api-keys/list-keys-by-maker";
import { listMembers } from "@/lib/services/members/change-members";
import { listInvitations } from "@/lib/services/members/invitations";

export const metadata: Metadata = { title: "Team" };

const ROLE_TEXTS = [
  { id: "owner", name: "Owner", text: "Everything, roles too." },
  { id: "admin", name: "Admin", text: "Everything but roles, and the export and end of the account." },
  {
    id: "member",
    name: "Member",
    text: "Sees everything but the audit log; works with sessions, templates, knowledge and the playground.",
  },
];

/** Who works in this account. */
export default orSayAway(async function TeamPage() {
  const { account, user, role, can } = await requirePanel("team.view");
  const [members, invitations, keys] = await Promise.all([
    listMembers(account.id),
    listInvitations(account.id),
    listKeysByMaker(account.id),
  ]);
  // Below a long list nobody would look for it.
  const isLong = members.length > MOST_AT_A_GLANCE;
  const roles = role === "owner" ? ROLE_TEXTS : ROLE_TEXTS.filter(({ id }) => id !== "owner");
  const invite = can("team.invite") ? (
    <Section isFramed title="Invite somebody">
      <div className="max-w-[560px]">
        <InviteForm invite={inviteMember} roles={roles} />
      </div>
    </Section>
  ) : null;
  return (
    <>
      <PageHeader
        purpose={
          <>
            Who works in <bdi>{account.companyName}</bdi>, and what they may do.
          </>
        }
        title="Team"
      />
      {isLong ? invite : null}
      <Section title="Members">
        <MemberList
          changeRole={can("team.change-role") ? changeRole : undefined}
          leave={leaveTeam}
          members={members.map(({ joinedAt: _, lastSignInAt, ...member }) => ({
            ...member,
            lastSignInAt: lastSignInAt?.toISOString() ?? null,
            isSelf: member.userId === user.id,
            keys: keys.get(member.userId) ?? [],
            mayRemove: can("team.remove") && (member.role !== "owner" || role === "owner"),
          }))}
          remove={removeMember}
        />
      </Section>
      {invitations.length > 0 ? (
        <Section title="Open invitations">
          <InvitationList
            invitations={invitations.map(({ createdAt, expiresAt, ...invitation }) => ({
              ...invitation,
              createdAt: createdAt.toISOString(),
              expiresAt: expiresAt.toISOString(),
            }))}
            revoke={can("team.revoke-invitation") ? revokeInvitation : undefined}
          />
        </Section>
      ) : null}
      {isLong ? null : invite}
      <RoleList />
    </>
  );
});

function RoleList() {
  return (
    <Section title="Roles">
      <dl className="grid gap-2">
        {ROLE_TEXTS.map(({ id, name, text }) => (
          <div className="grid grid-cols-[88px_minmax(0,1fr)] gap-4" key={id}>
            <dt className="font-medium">{name}</dt>
            <dd className="text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
