import { DOCS_GROUPS } from "@/components/docs/docs-links";
import { addressOf, filledAccount } from "@/e2e/support/filled-account";
import { cookieOf, panelAccount, staffPerson } from "@/e2e/support/panel-browser";
import { type ExposedPage, readPages } from "@/e2e/support/panel-source";

/** A page as somebody who may see it opens it. */
export interface SeenPage {
  /** "/panel/templates/[id]" */
  name: string;
  url: string;
  /** Empty: signed out. */
  headers: Record<string, string>;
}

/** Written wherever somebody can write, so that no page is an empty one. */
const TEXT = "Quarterly figures of the northern branch";

/**
 * Every page of the panel, of staff, before the sign-in and of the documents, with an account that has something of every
 * kind. Pages that only lead on are left out. Needs the running service in E2E_STATE.
 * @param origin {host_url}
 */
export async function listPages(origin: string): Promise<SeenPage[]> {
  const [filled, fresh, staff] = await Promise.all([filledAccount(TEXT), panelAccount(), staffPerson()]);
  const [owner, newcomer] = await Promise.all([filled.addPerson("owner"), fresh.addPerson("owner")]);
  const headersOf = (page: ExposedPage) => {
    if (page.audience === "panel") return cookieOf(owner);
    return page.audience === "staff" ? cookieOf(staff) : {};
  };
  const documents = ["/", ...DOCS_GROUPS.flatMap(({ links }) => links.map(({ href }) => href))];
  const pages = [
    ...documents.map((name) => ({ name, url: origin + name, headers: {} })),
    { name: "/docs/reference/[endpoint]", url: `${origin}/docs/reference/startChat`, headers: {} },
    { name: "/panel (new account)", url: `${origin}/panel`, headers: cookieOf(newcomer) },
    ...readPages()
      .filter(({ path }) => !path.includes("[...") && !path.includes("[token]"))
      .map((page) => ({ name: page.path, url: origin + addressOf(filled, page.path), headers: headersOf(page) })),
  ];
  const arePages = await Promise.all(pages.map(isPage));
  return pages.filter((_, index) => arePages[index]);
}

async function isPage({ url, headers }: SeenPage): Promise<boolean> {
  const response = await fetch(url, { headers, redirect: "manual" });
  await response.body?.cancel();
  return response.status === 200 && (response.headers.get("content-type") ?? "").startsWith("text/html");
}
