"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { NearLink } from "@/components/ui/near-link";

export interface NavigationLink {
  href: string;
  name: string;
  icon: ReactNode;
  /** When pages below the address are not part of this place. */
  isExact?: boolean;
  /** When the place is larger than the page that the link leads to. */
  below?: string;
}

export interface NavigationGroup {
  /** None: its links speak for themselves. */
  name?: string;
  links: NavigationLink[];
}

/** The groups of the left navigation, with the current place marked. */
export function NavigationLinks({ groups, label }: { groups: NavigationGroup[]; label: string }) {
  const path = usePathname();
  return (
    <nav aria-label={label} className="grid gap-5 px-3 py-4">
      {groups.map(({ name, links }) => (
        <div key={links[0]?.href}>
          {name ? <p className="mb-1 px-2 font-medium text-muted text-xs">{name}</p> : null}
          <ul className="grid gap-px">
            {links.map((link) => (
              <li key={link.href}>
                <NearLink
                  aria-current={isCurrent(link, path) ? "page" : undefined}
                  className="flex min-h-8 items-center gap-2.5 rounded-md px-2 text-muted hover:bg-surface-secondary hover:text-foreground aria-[current]:bg-default aria-[current]:font-medium aria-[current]:text-foreground [&>svg]:size-4 [&>svg]:shrink-0"
                  href={link.href}
                >
                  {link.icon}
                  {link.name}
                </NearLink>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** Whether a page is the link's place or lies in it. */
export function isCurrent({ href, isExact, below = href }: NavigationLink, path: string): boolean {
  return path === href || (!isExact && (path === below || path.startsWith(`${below}/`)));
}
