import { notFound, redirect } from "next/navigation";
import type { StaffActionId } from "@/lib/domain/panel-actions";
import { actorOf } from "@/lib/panel/current-person";
import type { StaffContext } from "@/lib/panel/panel-action";
import { requirePerson } from "@/lib/panel/require-panel";

/** Where staff set up their second factor. */
export const ENROL_PATH = "/panel/enrol";

/**
 * For pages of staff. Nobody is signed in: goes to the sign-in and comes back, whether there is such a page or not; for
 * everybody else they are not there; staff without a second factor set one up first. All staff may all that the table of
 * staff actions names.
 */
export async function requireStaff(_action: StaffActionId): Promise<Omit<StaffContext, "reason">> {
  const person = await requirePerson();
  if (!person.user.isStaff) notFound();
  if (!person.user.hasTotp) redirect(ENROL_PATH);
  return { user: person.user, actor: await actorOf(person) };
}
