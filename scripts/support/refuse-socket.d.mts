import type { Duplex } from "node:stream";

export function refuseSocket(
  error: Error & { code?: string },
  socket: Duplex,
  refuse: (fault: string | undefined) => { status: number; headers: Record<string, string>; body: string },
): void;
