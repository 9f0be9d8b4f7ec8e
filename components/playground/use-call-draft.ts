import { useState } from "react";
import { playgroundAddress } from "@/components/playground/playground-address";
import { type CallValues, makeCall, type PlaygroundCall } from "@/components/playground/playground-call";
import type { PlaygroundEndpoint } from "@/lib/contracts/playground";

/** The call that stands in the form. */
export interface CallDraft {
  endpoint: PlaygroundEndpoint;
  values: CallValues;
  files: File[];
  /** As it would be sent. */
  call: PlaygroundCall;
  setFiles: (files: File[]) => void;
  /** What was typed into a field. */
  change: (key: string, value: string) => void;
  /** Puts another call into the form. */
  fill: (endpoint: PlaygroundEndpoint, values: CallValues) => void;
  /** Fields keep what is typed by themselves; other texts in them are other fields. */
  round: number;
}

/** What stands in the form, which the page's address says too. */
export function useCallDraft(path: string, first: { endpoint: PlaygroundEndpoint; values: CallValues }): CallDraft {
  const [endpoint, setEndpoint] = useState(first.endpoint);
  const [values, setValues] = useState(first.values);
  const [files, setFiles] = useState<File[]>([]);
  const [round, setRound] = useState(0);

  const keep = (next: PlaygroundEndpoint, nextValues: CallValues) => {
    setEndpoint(next);
    setValues(nextValues);
    window.history.replaceState(null, "", playgroundAddress(path, next, nextValues));
  };
  const names = files.map(({ name }) => name);
  return {
    endpoint,
    values,
    files,
    call: makeCall(endpoint, values, names),
    setFiles,
    change: (key, value) => keep(endpoint, { ...values, [key]: value }),
    fill: (next, nextValues) => {
      keep(next, nextValues);
      setFiles([]);
      setRound(round + 1);
    },
    round,
  };
}
