import { cookies } from "next/headers";
import { cache } from "react";
import { mayDo, type PanelActionId, type Role } from "@/lib/domain/panel-actions";
import { PERMISSIONS } from "@/lib/domain/permissions";
import type { PlanId } from "@/lib/domain/plans";
import type { Principal } from "@/lib/domain/principal";
import { projectCookie } from "@/lib/panel/cookies";
import { actorOf, currentPerson } from "@/lib/panel/current-person";
import type { Actor } from "@/lib/services/accounts/record-audit";
import { listMemberships, type Membership, type MembershipProject } from "@/lib/services/people/list-memberships";
import type { PersonSession } from "@/lib/services/people/person-session";

/** Who works in the panel, and on what. */
export interface PanelContext {
  user: { id: string; email: string; name: string | null };
  session: Pick<PersonSession, "sessionId" | "confirmedSecondsAgo">;
  account: { id: string; companyName: string; verificationStatus: string; planId: PlanId };
  role: Role;
  /** All accounts of the person, with their projects; for the switch. */
  accounts: { id: string; companyName: string; role: Role; projects: { id: string; name: string }[] }[];
  /** Of the account. */
  projects: MembershipProject[];
  project: MembershipProject;
  /** For services: scopes every query; may start whatever a key may. */
  principal: Principal;
  /** For the audit log. */
  actor: Actor;
  can(action: PanelActionId): boolean;
}

/**
 * The context of the present request: the account and project that the person chose, or their first ones when the choice
 * is not theirs (any more). Null when nobody is signed in or the person belongs to no account. Looked up once per request.
 */
export const loadPanelContext = cache(async (): Promise<PanelContext | null> => {
  const person = await currentPerson();
  if (!person || person.user.isStaff) return null;
  const memberships = await listMemberships(person.user.id);
  const chosenId = (await cookies()).get(projectCookie().name)?.value;
  const choice = chooseProject(memberships, chosenId);
  return choice && contextOf(person, memberships, choice, await actorOf(person));
});

interface Choice {
  membership: Membership;
  project: MembershipProject;
}

/** The chosen project when it is the person's, else their first one. */
export function chooseProject(memberships: Membership[], chosenId: string | undefined): Choice | null {
  const all = memberships.flatMap((membership) => membership.projects.map((project) => ({ membership, project })));
  return all.find(({ project }) => project.id === chosenId) ?? all[0] ?? null;
}

function contextOf(person: PersonSession, memberships: Membership[], choice: Choice, actor: Actor): PanelContext {
  const { account, role, projects } = choice.membership;
  const { project } = choice;
  const { id, email, name } = person.user;
  return {
    user: { id, email, name },
    session: { sessionId: person.sessionId, confirmedSecondsAgo: person.confirmedSecondsAgo },
    account,
    role,
    accounts: memberships.map((membership) => ({
      id: membership.account.id,
      companyName: membership.account.companyName,
      role: membership.role,
      projects: membership.projects.map((candidate) => ({ id: candidate.id, name: candidate.name })),
    })),
    projects,
    project,
    principal: {
      accountId: account.id,
      projectId: project.id,
      apiKeyId: null,
      permissions: PERMISSIONS,
      planId: account.planId,
      model: project.model,
      allowances: {
        project: project.credits,
        endUser: project.endUserCredits,
        key: null,
        call: project.callCredits,
      },
    },
    actor,
    can: (action) => mayDo(role, action),
  };
}
