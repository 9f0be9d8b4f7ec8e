import { cookies } from "next/headers";
import { projectCookie } from "@/lib/panel/cookies";

const PROJECT_COOKIE_SECONDS = 365 * 86_400;

/** Remembers in the browser which project the panel shows; whose it is, is looked up at each request. For actions. */
export async function rememberProject(projectId: string): Promise<void> {
  const { name, options } = projectCookie();
  (await cookies()).set(name, projectId, { ...options, maxAge: PROJECT_COOKIE_SECONDS });
}
