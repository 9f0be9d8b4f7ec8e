import { usePathname, useRouter } from "next/navigation";
import { useCallback, useEffect, useRef } from "react";
import { leavesTo } from "@/components/ui/leaves-to";

/**
 * Goes to another page once an act is done. Who has gone elsewhere while it was under way stays there: by a link, which may
 * be on its way still, or back in the history.
 */
export function useGoOn(): (href: string, how?: "push" | "replace", options?: { scroll: boolean }) => void {
  const router = useRouter();
  const path = usePathname();
  const isLeaving = useRef(false);
  useEffect(() => {
    // The last that hears of a press: what asks before it leaves has held it back by then.
    const onClick = (event: MouseEvent) => {
      const href = leavesTo(event);
      if (href !== null && new URL(href, location.origin).pathname !== path) isLeaving.current = true;
    };
    window.addEventListener("click", onClick);
    return () => window.removeEventListener("click", onClick);
  }, [path]);
  return useCallback(
    (href, how = "push", options) => {
      if (!isLeaving.current && location.pathname === path) router[how](href, options);
    },
    [router, path],
  );
}
