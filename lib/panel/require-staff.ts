import { notFound, redirect } from "next/navigation";
import type { StaffActionId } from "@/lib/domain/panel-actions";
import { actorOf, currentPerson } from "@/lib/panel/current-person";
import type { StaffContext } from "@/lib/panel/panel-action";

/** Where staff set up their second factor. */
export const ENROL_PATH = "/panel/enrol";

/**
 * For pages of staff. For everybody else they are not there, also signed out; staff without a second factor set one up
 * first. All staff may all that the table of staff actions names.
 */
export async function requireStaff(_action: StaffActionId): Promise<Omit<StaffContext, "reason">> {
  const person = await currentPerson();
  if (!person?.user.isStaff) notFound();
  if (!person.user.hasTotp) redirect(ENROL_PATH);
  return { user: person.user, actor: await actorOf(person) };
}
