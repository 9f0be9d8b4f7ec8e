"use client";

import { usePathname } from "next/navigation";
import { LinkStrip } from "@/components/ui/link-strip";
import { NearLink } from "@/components/ui/near-link";

interface SubNavigationProps {
  /** For screen readers: "Settings". */
  label: string;
  links: { href: string; name: string }[];
}

/** The pages of one place, each with its own address, in a line above their content. */
export function SubNavigation({ label, links }: SubNavigationProps) {
  const path = usePathname();
  return (
    <LinkStrip className="mb-6" current={path} label={label}>
      {links.map(({ href, name }) => (
        <li key={href}>
          <NearLink
            aria-current={path === href || path.startsWith(`${href}/`) ? "page" : undefined}
            className="-outline-offset-2! flex h-9 items-center whitespace-nowrap border-transparent border-b-2 px-3 text-muted hover:text-foreground aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-foreground"
            href={href}
          >
            {name}
          </NearLink>
        </li>
      ))}
    </LinkStrip>
  );
}
