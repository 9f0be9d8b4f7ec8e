import { env } from "@/lib/env";

/** What the panel keeps in a browser. Over HTTPS the names bind the cookies to this host and to secure connections. */

interface PanelCookie {
  name: string;
  options: { httpOnly: true; sameSite: "lax"; path: "/"; secure: boolean };
}

/** The session's random token, and nothing else. */
export function sessionCookie(): PanelCookie {
  return panelCookie("person");
}

/** Which project the panel shows. */
export function projectCookie(): PanelCookie {
  return panelCookie("project");
}

/** A cookie of ours by the last part of its name. */
export function panelCookie(name: string): PanelCookie {
  const secure = isSecure();
  return {
    name: `${secure ? "__Host-" : ""}panel.${name}`,
    options: { httpOnly: true, sameSite: "lax", path: "/", secure },
  };
}

/** Whether browsers reach the service over HTTPS. */
export function isSecure(): boolean {
  return env().APP_URL.startsWith("https:");
}
