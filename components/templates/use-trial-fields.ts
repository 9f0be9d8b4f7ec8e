import { useState } from "react";
import { ownText } from "@/components/templates/template-draft";
import type { ExampleDraft, TemplateExample } from "@/lib/contracts/template-examples";

/** Names that the service fills in itself. */
export const BUILT_IN = "message";

/** What a trial sends, as it is kept with an example too. */
export type Tried = Pick<ExampleDraft, "values" | "message">;

/** What is filled in, and the example that it began with. */
export interface TrialFields {
  /** Of the text, and of the chosen example where the text has none of that name. */
  names: string[];
  textOf: (name: string) => string;
  setValue: (name: string, value: string) => void;
  message: string;
  setMessage: (message: string) => void;
  /** Without the empty ones: they pass nothing, so that the default stands in, as it does for a call. */
  tried: Tried;
  /** As it was when it was chosen or saved last; null: none. */
  chosen: TemplateExample | null;
  /** Fills the fields; with nothing for null. */
  choose: (example: TemplateExample | null) => void;
  /** Goes on from what is kept by now, and leaves the fields as they are. */
  rebase: (example: TemplateExample | null) => void;
  /** Whether the fields say something else than the chosen example. */
  isChanged: boolean;
}

/** The fields of a trial. @param placeholders in the order of the text */
export function useTrialFields(placeholders: string[]): TrialFields {
  const [values, setValues] = useState<Record<string, string>>({});
  const [message, setMessage] = useState("");
  const [chosen, setChosen] = useState<TemplateExample | null>(null);
  const names = [...new Set([...placeholders, ...Object.keys(chosen?.values ?? {})])].filter(
    (name) => name !== BUILT_IN,
  );
  const textOf = (name: string) => ownText(values, name) ?? "";
  const tried = {
    values: Object.fromEntries(names.flatMap((name) => (textOf(name) ? [[name, textOf(name)]] : []))),
    message,
  };
  return {
    names,
    textOf,
    setValue: (name, value) => setValues((others) => ({ ...others, [name]: value })),
    message,
    setMessage,
    tried,
    chosen,
    choose: (example) => {
      setChosen(example);
      setValues(example?.values ?? {});
      setMessage(example?.message ?? "");
    },
    rebase: setChosen,
    isChanged: chosen !== null && !isSameTried(tried, chosen),
  };
}

/** Whether both send the same; the database keeps names in an order of its own. */
export function isSameTried(one: Tried, other: Tried): boolean {
  const written = ({ values, message }: Tried) => JSON.stringify([Object.entries(values).sort(byName), message]);
  return written(one) === written(other);
}

function byName([one]: [string, string], [other]: [string, string]): number {
  return one < other ? -1 : 1;
}
