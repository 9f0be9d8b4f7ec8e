"use server";

import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { z } from "zod";
import type { Place } from "@/lib/contracts/place";
import { notFound } from "@/lib/domain/errors";
import { sessionCookie } from "@/lib/panel/cookies";
import { beginWork } from "@/lib/panel/page-answer";
import { panelAction, personAction } from "@/lib/panel/panel-action";
import { loadPanelContext } from "@/lib/panel/panel-context";
import { rememberProject } from "@/lib/panel/remember-project";
import { ownPath } from "@/lib/panel/require-panel";
import { confirmPassword as confirm } from "@/lib/services/people/change-password";
import { closePersonSession } from "@/lib/services/people/manage-person-sessions";

/** What the shell around every page of the panel does. */

/** Remembers in the browser which of the person's projects the panel shows. */
export const selectProject = panelAction("project.select", z.string().max(100), async ({ accounts }, projectId) => {
  const isOwn = accounts.some(({ projects }) => projects.some(({ id }) => id === projectId));
  if (!isOwn) throw notFound("The project");
  await rememberProject(projectId);
  return {};
});

/** Makes the person's sign-in fresh again, for what asks for that. */
export const confirmPassword = personAction(
  "person.confirm-password",
  z.strictObject({ password: z.string().min(1).max(200) }),
  async ({ sessionId, user }, { password }) => {
    await confirm({ userId: user.id, sessionId }, password);
    return {};
  },
);

/** Who is signed in in this browser, and on what an action of theirs would work. */
export const readPlace = personAction("person.place", z.undefined(), async ({ user }): Promise<Place> => {
  const context = await loadPanelContext();
  return { userId: user.id, projectId: context?.project.id ?? null };
});

/**
 * Ends this browser's session; the same for staff.
 * @param next the page of ours to go on to; anything else, such as what a form sends: the sign-in
 */
export async function signOut(next?: unknown): Promise<void> {
  beginWork();
  const jar = await cookies();
  const { name, options } = sessionCookie();
  const token = jar.get(name)?.value;
  if (token !== undefined) await closePersonSession(token);
  jar.set(name, "", { ...options, maxAge: 0 });
  redirect((typeof next === "string" && ownPath(next)) || "/panel/sign-in");
}
