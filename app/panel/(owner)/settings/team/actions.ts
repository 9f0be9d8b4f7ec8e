"use server";

import { revalidatePath } from "next/cache";
import { z } from "zod";
import { isId } from "@/lib/domain/ids";
import { ROLES } from "@/lib/domain/panel-actions";
import { panelAction } from "@/lib/panel/panel-action";
import type { PanelContext } from "@/lib/panel/panel-context";
import {
  changeRole as change,
  leaveTeam as leave,
  removeMember as remove,
} from "@/lib/services/members/change-members";
import { inviteMember as invite, revokeInvitation as revoke } from "@/lib/services/members/invitations";

/** What is done to the team of an account. */

const userId = z.string().refine((text) => isId("user", text), "is not the id of a person");
const invitationId = z.string().refine((text) => isId("invitation", text), "is not the id of an invitation");
const role = z.enum(ROLES);
const teamOf = ({ account, role: own, actor }: PanelContext) => ({ accountId: account.id, role: own, actor });
const showAgain = () => revalidatePath("/panel/settings/team");

export const inviteMember = panelAction(
  "team.invite",
  z.strictObject({ email: z.string().trim().min(1).max(254), role }),
  async (context, input) => {
    const { link } = await invite(teamOf(context), input);
    showAgain();
    return { link };
  },
);

export const revokeInvitation = panelAction(
  "team.revoke-invitation",
  z.strictObject({ invitationId }),
  async (context, input) => {
    await revoke(teamOf(context), input.invitationId);
    showAgain();
    return {};
  },
);

/** With the role that the reader saw, so that no other owner's change is undone unseen. */
const roleChange = z.strictObject({ userId, role, began: role });

export const changeRole = panelAction("team.change-role", roleChange, async (context, input) => {
  await change(teamOf(context), input);
  showAgain();
  return {};
});

export const removeMember = panelAction("team.remove", z.strictObject({ userId }), async (context, input) => {
  await remove(teamOf(context), input.userId);
  showAgain();
  return {};
});

export const leaveTeam = panelAction("team.leave", z.undefined(), async ({ actor, account }) => {
  await leave(actor, account.id);
  return {};
});
