"use client";

import dynamic from "next/dynamic";
import { ReferenceSkeleton } from "@/components/docs/reference-skeleton";

/** The reference with its own code and styles, loaded on this page alone and in the browser alone. */
export const ReferenceView = dynamic(() => import("@/components/docs/api-reference").then((m) => m.ApiReference), {
  ssr: false,
  loading: () => <ReferenceSkeleton />,
});
