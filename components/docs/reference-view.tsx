"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { ReferenceSkeleton } from "@/components/docs/reference-skeleton";

const load = () => import("@/components/docs/api-reference");

/** The reference with its own code and styles, loaded on this page alone and in the browser alone. */
const ApiReference = dynamic(() => load().then((module) => module.ApiReference), {
  ssr: false,
  loading: () => <ReferenceSkeleton />,
});

/** Addresses of places in the reference, as it makes them itself. */
const PLACE_IN_REFERENCE = /^#(tag|models?|description)(\/|$)/;

interface ReferenceViewProps {
  serviceName: string;
  /** The index, drawn on the server. */
  children: ReactNode;
}

/**
 * The index of the reference, until the address names a place in the reference itself: a link of the index was followed,
 * or somebody was sent there. Its three megabytes are for those who want them; they come ahead when the pointer or the
 * focus comes to a link.
 */
export function ReferenceView({ serviceName, children }: ReferenceViewProps) {
  const [isOpen, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);

  useEffect(() => {
    const open = () => {
      if (PLACE_IN_REFERENCE.test(location.hash)) setOpen(true);
    };
    const follow = () => {
      // The link that had the focus goes with the index.
      if (frame.current?.contains(document.activeElement)) frame.current.focus({ preventScroll: true });
      open();
    };
    open();
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);

  return (
    <div className="outline-none" id={isOpen ? "content" : undefined} ref={frame} tabIndex={-1}>
      {isOpen ? <ApiReference serviceName={serviceName} /> : <LoadAhead>{children}</LoadAhead>}
    </div>
  );
}

/** What cannot be loaded ahead is asked for again, and said, when it is wanted. */
function LoadAhead({ children }: { children: ReactNode }) {
  const comeNear = ({ target }: { target: EventTarget }) => {
    const link = target instanceof Element ? target.closest("a") : null;
    if (link && PLACE_IN_REFERENCE.test(link.hash)) load().catch(() => {});
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only looks on; the links in it are what is pressed
    <div onFocus={comeNear} onPointerOver={comeNear}>
      {children}
    </div>
  );
}
