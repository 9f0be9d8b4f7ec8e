"use client";

import { useEffect, useRef } from "react";
import { type CallValues, keyOf } from "@/components/playground/playground-call";
import { usePastedFiles } from "@/components/playground/use-pasted-files";
import { SelectInput, SwitchInput } from "@/components/ui/choice-fields";
import { TextAreaInput, TextInput } from "@/components/ui/fields";
import { Prose } from "@/components/ui/prose";
import type { PlaygroundEndpoint, PlaygroundField, PlaygroundFile } from "@/lib/contracts/playground";

interface CallFieldsProps {
  endpoint: PlaygroundEndpoint;
  /** What stands in the fields at first. */
  values: CallValues;
  onChange: (key: string, value: string) => void;
  onFiles: (files: File[]) => void;
}

/** What a call is about before what it may also say: beside a body, a query is never needed. */
const PLACES: { place: PlaygroundField["place"]; title: string }[] = [
  { place: "path", title: "Path" },
  { place: "body", title: "Body" },
  { place: "query", title: "Query" },
  { place: "header", title: "Headers" },
];
const NOT_SENT = "not-sent";

/** The form of an endpoint, made from its definition. */
export function CallFields({ endpoint, values, onChange, onFiles }: CallFieldsProps) {
  const parts = PLACES.flatMap(({ place, title }) => {
    const fields = endpoint.fields.filter((field) => field.place === place);
    const hasFile = place === "body" && endpoint.file !== null;
    return fields.length > 0 || hasFile ? [{ place, title, fields, hasFile }] : [];
  });
  if (parts.length === 0) return <p className="text-muted">This endpoint takes nothing.</p>;
  return parts.map(({ place, title, fields, hasFile }) => (
    <fieldset className="grid grid-cols-[minmax(0,1fr)] gap-4" key={place}>
      <legend className="mb-3 font-semibold text-code text-muted">{title}</legend>
      {hasFile && endpoint.file ? <FileField file={endpoint.file} onFiles={onFiles} /> : null}
      {fields.map((field) => (
        <CallField field={field} key={field.name} onChange={onChange} value={values[keyOf(field)] ?? ""} />
      ))}
    </fieldset>
  ));
}

interface CallFieldProps {
  field: PlaygroundField;
  value: string;
  onChange: CallFieldsProps["onChange"];
}

function CallField({ field, value, onChange }: CallFieldProps) {
  const { name, kind, choices, description, isRequired } = field;
  const key = keyOf(field);
  const change = (next: string) => onChange(key, next);
  // Descriptions are Markdown in the documents; of that they have code marks alone.
  const common = {
    name: key,
    label: isRequired ? `${name} (required)` : name,
    description: <Prose text={description} />,
  };
  if (choices.includes("true")) {
    return (
      <SwitchInput {...common} defaultSelected={value === "true"} onChange={(isOn) => change(isOn ? "true" : "")} />
    );
  }
  if (kind === "choice") {
    const offered = choices.map((choice) => ({ id: choice, name: choice }));
    return (
      <SelectInput
        {...common}
        choices={[{ id: NOT_SENT, name: "Not sent" }, ...offered]}
        defaultValue={choices.includes(value) ? value : NOT_SENT}
        onChange={(id) => change(id === NOT_SENT ? "" : id)}
      />
    );
  }
  if (kind === "line") return <TextInput {...common} defaultValue={value} isMono onChange={change} />;
  return (
    <TextAreaInput
      {...common}
      defaultValue={value}
      isMono={kind === "json"}
      onChange={change}
      placeholder={kind === "json" ? "JSON" : undefined}
      rows={kind === "json" ? 2 : 4}
    />
  );
}

interface FileFieldProps {
  file: PlaygroundFile;
  onFiles: (files: File[]) => void;
}

function FileField({ file: { name, maxFiles, isRequired, description }, onFiles }: FileFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  usePastedFiles(field);
  useEffect(() => {
    const input = field.current;
    if (!input) return;
    // Of the file that was chosen before, which may say something else by now, browsers tell as of a choice that was left.
    const takeAgain = () => onFiles([...(input.files ?? [])]);
    input.addEventListener("cancel", takeAgain);
    return () => input.removeEventListener("cancel", takeAgain);
  }, [onFiles]);
  return (
    <label className="grid gap-1.5">
      <span className="font-medium">{isRequired ? `${name} (required)` : name}</span>
      <input
        className="w-full min-w-0 rounded-lg border border-field-border bg-surface p-2 text-code file:mr-3 file:rounded-md file:border-0 file:bg-default file:px-3 file:py-1"
        multiple={maxFiles > 1}
        onChange={(event) => onFiles([...(event.target.files ?? [])])}
        ref={field}
        type="file"
      />
      <span className="text-code text-muted">
        <Prose text={description} />
      </span>
    </label>
  );
}
