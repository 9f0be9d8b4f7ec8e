"use client";

import { type ComponentType, type ReactNode, startTransition, useEffect, useRef, useState } from "react";
import type { DrawingProps } from "@/components/charts/chart-frame";
import { takeTurn } from "@/components/charts/drawing-turns";

const DRAWINGS = {
  volume: () => import("@/components/charts/volume-drawing").then(({ VolumeDrawing }) => VolumeDrawing),
  stacked: () => import("@/components/charts/stacked-drawing").then(({ StackedDrawing }) => StackedDrawing),
};

/** How far below the window a chart is drawn already. */
const NEAR = "300px 0px";

interface LaterDrawingProps extends Omit<DrawingProps, "size"> {
  kind: keyof typeof DRAWINGS;
  /** The sketch that stands there until then, and stays when the drawing's code cannot be loaded. */
  children: ReactNode;
}

/**
 * A chart that answers to the pointer, in the place of its sketch: drawn when it comes near the window, in the browser's
 * idle time, one after another. Four at once would hold the page up while it comes alive.
 */
export function LaterDrawing({ kind, children, ...drawn }: LaterDrawingProps) {
  const place = useRef<HTMLDivElement>(null);
  const [made, setMade] = useState<{ Drawing: ComponentType<DrawingProps>; size: DrawingProps["size"] }>();

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const left = new AbortController();
    const draw = async () => {
      const Drawing = await DRAWINGS[kind]();
      const { clientWidth: width, clientHeight: height } = element;
      startTransition(() => setMade({ Drawing, size: { width, height } }));
    };
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        takeTurn(draw, left.signal);
      },
      { rootMargin: NEAR },
    );
    observer.observe(element);
    return () => {
      observer.disconnect();
      left.abort();
    };
  }, [kind]);

  return (
    <div className="@container relative h-full" ref={place}>
      {made ? <made.Drawing {...drawn} size={made.size} /> : children}
    </div>
  );
}
