import { useCallback, useContext, useRef } from "react";
import { type OpenAttempt, SharedAttemptContext } from "@/components/ui/shared-attempt";
import type { ActionResult } from "@/lib/contracts/action-result";

/**
 * An action that creates, for a form whose answer may be lost on the way: sent again with the same content it has the same
 * `attempt`, by which the service knows what it has made already.
 */
export function useOnce<Input extends object, Made>(
  action: (input: Input & { attempt: string }) => Promise<ActionResult<Made>>,
): (input: Input) => Promise<ActionResult<Made>> {
  const own = useRef<OpenAttempt>(undefined);
  const open = useContext(SharedAttemptContext) ?? own;
  return useCallback(
    async (input) => {
      const content = JSON.stringify(input, bytesAsText);
      if (open.current?.content !== content) open.current = { content, attempt: newAttempt() };
      const answer = await action({ ...input, attempt: open.current.attempt });
      if (answer.ok) open.current = undefined;
      return answer;
    },
    [action, open],
  );
}

/** The bytes of a file take many times as long to be written as numbers. */
function bytesAsText(_name: string, value: unknown): unknown {
  return value instanceof Uint8Array ? new TextDecoder("latin1").decode(value) : value;
}

/** Not `randomUUID`, which pages without TLS have not. */
function newAttempt(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
