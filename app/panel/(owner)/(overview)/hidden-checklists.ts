import { cookies } from "next/headers";
import { panelCookie } from "@/lib/panel/cookies";

/** Of which projects this browser has put the finished checklist away. */

const COOKIE_SECONDS = 365 * 86_400;
/** The latest ones, so that the cookie stays small. */
const MAX_PROJECTS = 20;
const SEPARATOR = ".";

export async function isChecklistHidden(projectId: string): Promise<boolean> {
  return (await hiddenProjects()).includes(projectId);
}

/** For actions alone: pages cannot write cookies. */
export async function hideChecklistOf(projectId: string): Promise<void> {
  const others = (await hiddenProjects()).filter((id) => id !== projectId);
  const { name, options } = cookie();
  const value = [...others, projectId].slice(-MAX_PROJECTS).join(SEPARATOR);
  (await cookies()).set(name, value, { ...options, maxAge: COOKIE_SECONDS });
}

async function hiddenProjects(): Promise<string[]> {
  return (await cookies()).get(cookie().name)?.value.split(SEPARATOR) ?? [];
}

function cookie() {
  return panelCookie("started");
}
