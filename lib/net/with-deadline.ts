import { EgressFailure } from "@/lib/net/egress-failure";

/** Waits for `work` no longer than `timeoutMs`; whoever works on is not stopped by this. @throws EgressFailure TIMEOUT */
export async function withDeadline<T>(work: Promise<T>, timeoutMs: number, onTimeout?: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new EgressFailure("TIMEOUT"));
      onTimeout?.();
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
