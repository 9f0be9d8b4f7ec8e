"use client";

import { ChevronDown } from "lucide-react";
import { usePathname } from "next/navigation";
import { DOCS_GROUPS, type DocsGroup } from "@/components/docs/docs-links";

const DOCS_PATH = "/docs";

/** The way through the documents: beside the text, and folded above it on small screens. */
export function DocsNav() {
  const path = usePathname();
  const current = DOCS_GROUPS.flatMap(({ links }) => links).find(({ href }) => currentOf(href, path));
  return (
    <>
      <nav
        aria-label="Documents"
        className="sticky top-14 hidden max-h-[calc(100dvh-3.5rem)] -ml-2.5 w-60 shrink-0 self-start overflow-y-auto py-10 pr-4 lg:block"
      >
        <NavGroups path={path} />
      </nav>
      <nav aria-label="Documents, folded" className="border-separator border-b lg:hidden print:hidden">
        <details className="group" key={path}>
          <summary className="flex h-12 cursor-pointer list-none items-center justify-between gap-3 [&::-webkit-details-marker]:hidden">
            <span>
              <span className="text-muted">Documents</span>
              <span aria-hidden="true" className="px-2 text-muted">
                /
              </span>
              <span className="font-medium">{current?.name ?? "All"}</span>
            </span>
            <ChevronDown aria-hidden="true" className="size-4 text-muted group-open:rotate-180" />
          </summary>
          <div className="pb-6">
            <NavGroups path={path} />
          </div>
        </details>
      </nav>
    </>
  );
}

function NavGroups({ path }: { path: string }) {
  return DOCS_GROUPS.map((group) => <NavGroup group={group} key={group.name} path={path} />);
}

/** The document itself, or the one that the reader has come from to a page of it. */
function currentOf(href: string, path: string): "page" | "true" | undefined {
  if (href === path) return "page";
  return href !== DOCS_PATH && path.startsWith(`${href}/`) ? "true" : undefined;
}

function NavGroup({ group, path }: { group: DocsGroup; path: string }) {
  return (
    <div className="mt-6 first:mt-0">
      <p className="mb-1 font-semibold lg:pl-2.5">{group.name}</p>
      <ul className="max-lg:-mx-2.5">
        {group.links.map(({ href, name }) => (
          <li key={href}>
            {/* Plain links: not all of them are pages of this layout. */}
            <a
              aria-current={currentOf(href, path)}
              className="flex min-h-8 items-center rounded-md px-2.5 text-muted hover:text-foreground [&[aria-current]]:bg-surface-secondary [&[aria-current]]:font-medium [&[aria-current]]:text-foreground"
              href={href}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
