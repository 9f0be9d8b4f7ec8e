"use client";

import type { ReactNode } from "react";
import { moveByArrows } from "@/components/ui/move-by-arrows";

/** Lets the arrow keys move between the links of a table's rows; Enter opens, as with every link. */
export function RowKeys({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: listens for what bubbles up from the links in it
    <div className="@container min-w-0" onKeyDown={(event) => moveByArrows(event, "[data-row-link]")}>
      {children}
    </div>
  );
}
