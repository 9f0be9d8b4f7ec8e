"use client";

import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";

interface StickToEnd {
  /** Stands behind what grows. */
  end: RefObject<HTMLDivElement | null>;
  /** Whether the page goes along: while the reader sees the end and has not turned back from it. */
  isFollowing: boolean;
  goToEnd: () => void;
}

/** How near the end counts as being there. */
const NEAR = "0px 0px 80px 0px";

/** So far Firefox moves a page back by itself, a moment after it was scrolled to its end: it rounds to pixels of the screen. */
const ROUNDED_PX = 2;

/**
 * Goes along with a text that grows while the reader looks at its end, and leaves who reads further up alone.
 * @param content whatever changes when the text grows
 */
export function useStickToEnd(content: unknown): StickToEnd {
  const end = useRef<HTMLDivElement>(null);
  const [isFollowing, setFollowing] = useState(true);
  const isSticking = useRef(false);

  useEffect(() => {
    if (!end.current) return;
    let isEndSeen = false;
    let place = readPlace();
    const follow = (value: boolean) => {
      isSticking.current = value;
      setFollowing(value);
    };
    const observer = new IntersectionObserver(
      ([entry]) => {
        isEndSeen = entry?.isIntersecting ?? false;
        follow(isEndSeen);
      },
      { rootMargin: NEAR },
    );
    const notice = () => {
      const before = place;
      const now = readPlace();
      // From where it was, so that many small steps back are one large one.
      if (now.top < before.top && now.top > before.top - ROUNDED_PX) return;
      place = now;
      // A page that got shorter moves by itself; only people turn back.
      const isTurnedBack = place.top < before.top && place.height >= before.height;
      if (isTurnedBack || isEndSeen) follow(!isTurnedBack);
    };
    observer.observe(end.current);
    addEventListener("scroll", notice, { passive: true });
    return () => {
      observer.disconnect();
      removeEventListener("scroll", notice);
    };
  }, []);

  // Before the browser looks again at what is seen, so that growing is not taken for scrolling away.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs because the content changed
  useLayoutEffect(() => {
    if (isSticking.current) end.current?.scrollIntoView({ block: "nearest" });
  }, [content]);

  return { end, isFollowing, goToEnd: () => end.current?.scrollIntoView({ block: "nearest" }) };
}

function readPlace(): { top: number; height: number } {
  return { top: scrollY, height: document.documentElement.scrollHeight };
}
