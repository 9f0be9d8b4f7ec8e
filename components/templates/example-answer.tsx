"use client";

import { Button } from "@heroui/react";
import { useCallback, useMemo } from "react";
import { StreamedAnswer } from "@/components/sessions/streamed-answer";
import type { ExampleTry, TryEnd } from "@/components/templates/example-run";
import { type TestTemplate, useExampleAnswer } from "@/components/templates/use-example-answer";
import { FormError } from "@/components/ui/form-error";

interface ExampleAnswerProps {
  tried: ExampleTry;
  test: TestTemplate;
  mayStart: boolean;
  /** Whether it waits for its turn, which will come. */
  isWaiting: boolean;
  /** As of `useExampleAnswer`. */
  onOver: (key: string, end: TryEnd) => void;
}

/** What the AI answers to one example, or why it does not. */
export function ExampleAnswer({ tried, test, mayStart, isWaiting, onOver }: ExampleAnswerProps) {
  const { key, template, example, fault } = tried;
  const input = useMemo(
    () => ({ ...template, values: example.values, message: example.message }),
    [template, example.values, example.message],
  );
  const end = useCallback((ended: TryEnd) => onOver(key, ended), [onOver, key]);
  const { sessionHref, stream, refusal, isStarting, retry } = useExampleAnswer(test, input, mayStart, end);
  if (sessionHref) return <StreamedAnswer sessionHref={sessionHref} stream={stream} />;
  return (
    <div className="rounded-lg border border-border px-4 py-3 text-code [overflow-wrap:anywhere]">
      {refusal ? (
        <div className="grid justify-items-start gap-3">
          <FormError text={refusal} />
          <Button isPending={isStarting} onPress={retry} size="sm" variant="outline">
            Try again
          </Button>
        </div>
      ) : (
        <p className={fault ? "text-danger" : "text-muted"}>
          {fault ? `Not asked. ${fault}` : mayStart ? "Starting" : isWaiting ? "Waits for its turn" : "Not started"}
        </p>
      )}
    </div>
  );
}
