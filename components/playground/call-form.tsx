import { Button } from "@heroui/react";
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";
import { CallFields } from "@/components/playground/call-fields";
import { firstValues } from "@/components/playground/playground-call";
import type { CallDraft } from "@/components/playground/use-call-draft";
import type { CallRun } from "@/components/playground/use-playground-calls";
import { SelectInput } from "@/components/ui/choice-fields";
import { useEarlyInput } from "@/components/ui/use-early-input";
import type { PlaygroundEndpoint } from "@/lib/contracts/playground";

interface CallFormProps {
  draft: CallDraft;
  endpoints: PlaygroundEndpoint[];
  making: CallRun;
  onSend: () => void;
  /** Between the choice of an endpoint and its fields: the key. */
  children: ReactNode;
}

/** Which call, with what in it, and the buttons that send it. */
export function CallForm({ draft, endpoints, making, onSend, children }: CallFormProps) {
  const { endpoint, round, fill } = draft;
  const form = useRef<HTMLFormElement>(null);
  useEarlyInput(form);
  return (
    <form
      aria-label="The call"
      className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6"
      method="post"
      onSubmit={(event) => {
        event.preventDefault();
        // Enter sends it though its button is pending; a call more would be a session more, and cost.
        if (!making.isPending) onSend();
      }}
      ref={form}
    >
      <SelectInput
        choices={endpoints.map(({ id, name, summary }) => ({ id, name: `${name}: ${summary}` }))}
        description={needsOf(endpoint)}
        label="Endpoint"
        name="endpoint"
        onChange={(id) => {
          const next = endpoints.find((each) => each.id === id);
          if (next && next.id !== endpoint.id) fill(next, firstValues(next));
        }}
        // Not another field with each choice: the keyboard would stand nowhere.
        value={endpoint.id}
      />
      {children}
      <CallFields
        endpoint={endpoint}
        key={round}
        onChange={draft.change}
        onFiles={draft.setFiles}
        values={draft.values}
      />
      <CallButtons making={making} onFillIn={() => fill(endpoint, firstValues(endpoint))} />
    </form>
  );
}

function CallButtons({ making, onFillIn }: { making: CallRun; onFillIn: () => void }) {
  const { isPending, progress, stop } = making;
  const send = useRef<HTMLButtonElement>(null);
  return (
    <div
      className="sticky bottom-0 flex flex-wrap items-center gap-2 border-separator border-t bg-background py-3"
      data-form-bar=""
    >
      <Button isPending={isPending} ref={send} type="submit">
        Send
      </Button>
      {isPending ? <StopButton onPress={stop} sendButton={send} /> : null}
      <Button onPress={onFillIn} variant="ghost">
        Fill in the example
      </Button>
      {progress === null ? null : (
        <label className="flex items-center gap-2 text-code text-muted">
          Uploading <progress max={1} value={progress} />
        </label>
      )}
    </div>
  );
}

interface StopButtonProps {
  onPress: () => void;
  sendButton: RefObject<HTMLButtonElement | null>;
}

/** Goes when the call ends, and leaves the keyboard to the button that sends the next one. */
function StopButton({ onPress, sendButton }: StopButtonProps) {
  const own = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = own.current;
    return () => {
      if (button !== null && button === document.activeElement) sendButton.current?.focus();
    };
  }, [sendButton]);
  return (
    <Button onPress={onPress} ref={own} variant="outline">
      Stop
    </Button>
  );
}

function needsOf({ needsKey, permission }: PlaygroundEndpoint): string {
  if (!needsKey) return "Needs no key.";
  return permission === null ? "Takes any key of the project." : `Takes a key with the permission ${permission}.`;
}
