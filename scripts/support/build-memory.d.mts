import type { NextConfig } from "next";

/** How Next builds on a machine with little memory (bytes; absent: this one's): with less than it would take otherwise. */
export function sparingBuild(bytes?: number): NonNullable<NextConfig["experimental"]>;

/** What to say before a build that may find no room in the memory and swap that are free (bytes; absent: this machine's). */
export function memoryWarning(bytes?: number): string | undefined;
