"use client";

import { usePathname, useRouter } from "next/navigation";
import { useEffect, useRef } from "react";
import { isSamePlace, usePlaces } from "@/components/ui/place";
import { closeStanding, showStanding } from "@/components/ui/toasts";
import { useIsHere } from "@/components/ui/use-is-here";

/**
 * Looks, whenever the reader comes back to the page, whether another tab has chosen another project, somebody else has
 * signed in there, or the reader was taken off the team. It says so and leaves what is typed alone; with the next page the shell follows, which would go on naming
 * the project that it was drawn for.
 */
export function PlaceWatch() {
  const places = usePlaces();
  const router = useRouter();
  const path = usePathname();
  const isElsewhere = useRef(false);
  const isHere = useIsHere();
  const shown = places ? `${places.shown.userId} ${places.shown.projectId}` : "";

  useEffect(() => {
    if (!places) return;
    const look = async () => {
      if (document.visibilityState !== "visible") return;
      const now = await places.read().catch(() => null);
      if (!now?.ok || !isHere.current) return;
      const { userId, projectId } = now.data;
      const wasElsewhere = isElsewhere.current;
      isElsewhere.current = !isSamePlace(places.shown, { userId, projectId });
      if (isElsewhere.current) showStanding(...wordsFor(userId === places.shown.userId, projectId));
      else if (wasElsewhere) closeStanding();
    };
    window.addEventListener("focus", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      window.removeEventListener("focus", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, [places, isHere]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: with every page, and when the shell was drawn anew by itself
  useEffect(() => {
    if (!isElsewhere.current) return;
    isElsewhere.current = false;
    closeStanding();
    router.refresh();
  }, [path, shown, router]);

  // Led out of the shell, to what says that there is no account, nobody sees what it told of any more.
  useEffect(
    () => () => {
      if (isElsewhere.current) closeStanding();
    },
    [],
  );

  return null;
}

function wordsFor(isSamePerson: boolean, projectId: string | null): [title: string, text: string] {
  if (!isSamePerson) {
    return [
      "Somebody else is signed in now",
      "This page still shows what it was opened for, and saves nothing. Reload it to go on as the other.",
    ];
  }
  if (projectId === null) {
    return [
      "You were taken off this team",
      "This page still shows what it was opened for, and saves nothing. Copy what you still need: it is gone once you leave or reload it.",
    ];
  }
  return [
    "Another project was chosen in another tab",
    "Or you were taken off this one’s team. This page still shows the one before, and saves nothing until that one is chosen again. Reload it to go on with the other.",
  ];
}
