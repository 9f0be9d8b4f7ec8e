"use client";

import { X } from "lucide-react";
import { ownText } from "@/components/templates/template-draft";

interface VariableFieldsProps {
  /** In the order of the text. */
  placeholders: string[];
  /** Name to default. */
  variables: Record<string, string>;
  onChange: (variables: Record<string, string>) => void;
  /** By the name of the field. */
  errors: Record<string, string>;
}

/** Filled by the call's own text. */
const BUILT_IN: Record<string, string> = {
  message: "The call's message.",
  prompt: "The call's prompt, with files.",
};
const FIELD =
  "h-8 w-full min-w-0 rounded-md border border-field-border bg-field px-2.5 text-code outline-none placeholder:text-muted focus:border-focus focus:ring-1 focus:ring-focus";

/** The variables that the text has right now, each with the value for calls that do not pass one. */
export function VariableFields({ placeholders, variables, onChange, errors }: VariableFieldsProps) {
  const unused = Object.keys(variables).filter((name) => !placeholders.includes(name));
  const set = (name: string, value: string) => onChange({ ...variables, [name]: value });
  const remove = (name: string) =>
    onChange(Object.fromEntries(Object.entries(variables).filter(([key]) => key !== name)));
  if (placeholders.length === 0 && unused.length === 0) {
    return (
      <p className="text-muted">
        None yet. Write <code className="font-mono text-code">{"{{name}}"}</code> in the text for what changes from call
        to call.
      </p>
    );
  }
  return (
    <ul className="divide-y divide-separator">
      {[...placeholders, ...unused].map((name) => (
        <li className="grid gap-x-4 gap-y-1 py-2 sm:grid-cols-[minmax(0,180px)_minmax(0,1fr)]" key={name}>
          <span className="self-center font-mono text-code [overflow-wrap:anywhere]">{name}</span>
          {Object.hasOwn(variables, name) || !Object.hasOwn(BUILT_IN, name) ? (
            <DefaultField
              name={name}
              onChange={(value) => set(name, value)}
              onRemove={() => remove(name)}
              value={ownText(variables, name)}
            />
          ) : (
            <span className="text-code text-muted leading-8">{BUILT_IN[name]}</span>
          )}
          {placeholders.includes(name) ? null : (
            <span className="text-code text-muted sm:col-start-2">Not in the text any more.</span>
          )}
          {errors[`draft.variables.${name}`] ? (
            <span className="text-code text-danger sm:col-start-2" role="alert">
              {errors[`draft.variables.${name}`]}
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

interface DefaultFieldProps {
  name: string;
  /** Undefined: it has no default. */
  value: string | undefined;
  onChange: (value: string) => void;
  onRemove: () => void;
}

function DefaultField({ name, value, onChange, onRemove }: DefaultFieldProps) {
  return (
    <span className="flex min-w-0 items-center gap-1">
      <input
        aria-label={`Default of ${name}`}
        className={FIELD}
        dir="auto"
        onChange={({ target }) => onChange(target.value)}
        placeholder={value === undefined ? "No default: each call passes it" : "The empty text"}
        value={value ?? ""}
      />
      {value === undefined ? null : (
        <button
          aria-label={`Remove the default of ${name}`}
          className="grid size-7 shrink-0 place-items-center rounded-md text-muted hover:bg-default hover:text-foreground"
          onClick={onRemove}
          type="button"
        >
          <X aria-hidden="true" className="size-3.5" />
        </button>
      )}
    </span>
  );
}
