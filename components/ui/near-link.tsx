"use client";

import Link from "next/link";
import { type ComponentProps, useState } from "react";
import { WaitSign } from "@/components/ui/wait-sign";

/**
 * A link whose page is fetched ahead when the pointer or the focus comes to it. Next's own link does so as soon as it is
 * seen: for a navigation of twelve and a table of fifty rows that would be sixty pages that nobody asked for. What was not
 * fetched ahead in time shows that it is on its way.
 */
export function NearLink({ children, ...props }: Omit<ComponentProps<typeof Link>, "prefetch">) {
  const [isNear, setNear] = useState(false);
  const comeNear = () => setNear(true);
  return (
    <Link {...props} onFocus={comeNear} onMouseEnter={comeNear} prefetch={isNear ? null : false}>
      {children}
      <WaitSign />
    </Link>
  );
}
