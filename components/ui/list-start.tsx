"use client";

import { type ComponentProps, useEffect, useRef } from "react";
import { NearLink } from "@/components/ui/near-link";

/** Whether the reader has just asked for another part of a list; it comes with a page that is drawn anew. */
let isTurned = false;

/** A link to another part of the list that it stands below. The page stays where it is until that part is there. */
export function TurnLink(props: ComponentProps<typeof NearLink>) {
  return (
    <NearLink
      {...props}
      onNavigate={() => {
        isTurned = true;
      }}
      scroll={false}
    />
  );
}

/**
 * Stands in the navigation below a list: leads to the list's start when another part of it was asked for, for readers would
 * else stand at that one's end. Going back leaves them where they were, as browsers do.
 * @param props.part another one for each part
 */
export function ListStart({ part }: { part: string }) {
  const place = useRef<HTMLSpanElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another part is when to look
  useEffect(() => {
    if (!isTurned) return;
    isTurned = false;
    const list = place.current?.closest("nav")?.previousElementSibling;
    if (list && list.getBoundingClientRect().top < 0) list.scrollIntoView({ block: "start", behavior: "instant" });
  }, [part]);
  return <span hidden ref={place} />;
}
