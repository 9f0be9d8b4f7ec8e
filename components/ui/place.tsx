"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { Place } from "@/lib/contracts/place";

interface Places {
  /** What the page shows, and for whom. */
  shown: Place;
  /** Who is signed in in this browser now, and on what an action would work. */
  read: () => Promise<ActionResult<Place>>;
}

/** Outside of the shell there is none. */
const PlaceContext = createContext<Places | null>(null);

export function usePlaces(): Places | null {
  return useContext(PlaceContext);
}

interface PlaceProviderProps {
  place: Place;
  readPlace: Places["read"];
  children: ReactNode;
}

/** Keeps for whom the pages inside were drawn: the cookies that actions go by are shared with all other tabs. */
export function PlaceProvider({ place, readPlace, children }: PlaceProviderProps) {
  return <PlaceContext value={{ shown: place, read: readPlace }}>{children}</PlaceContext>;
}

export function isSamePlace(place: Place, other: Place): boolean {
  return place.userId === other.userId && place.projectId === other.projectId;
}
