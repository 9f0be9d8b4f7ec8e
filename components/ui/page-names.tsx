"use client";

import { useEffect } from "react";
import { usePassingWords } from "@/components/ui/passing-words";

/**
 * Says what the page is called that a link led to, once its title is there. Next's own word comes with the page, and on a slow
 * machine before its title: it was another one then, or none. An open dialog, as the navigation of a phone, hides all
 * around it from screen readers while the page comes, but not this.
 */
export function PageNames() {
  const [name, say] = usePassingWords();
  useEffect(() => {
    let path = location.pathname;
    const titles = new MutationObserver(() => {
      if (document.title === "" || location.pathname === path) return;
      path = location.pathname;
      say(document.title);
    });
    titles.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => titles.disconnect();
  }, [say]);
  return (
    <div aria-live="assertive" className="sr-only" data-live-announcer="pages">
      {name}
    </div>
  );
}
