"use client";

import { Input, Label, TextArea, TextField } from "@heroui/react";
import { type FormEvent, useId } from "react";
import { type FieldProps, Hints } from "@/components/ui/field-hints";
import { useCutPaste } from "@/components/ui/use-cut-paste";

interface TextInputProps extends FieldProps {
  /** An address is checked by the action alone: of one without https:// browsers only say that it is none. */
  type?: "text" | "email" | "password" | "url" | "tel" | "number" | "date";
  defaultValue?: string;
  placeholder?: string;
  maxLength?: number;
  autoComplete?: string;
  isMono?: boolean;
  /** A code of digits alone: phones show those. */
  isDigits?: boolean;
  /** What is offered while one types; anything else can be typed too. */
  suggestions?: string[];
  onChange?: (value: string) => void;
}

/** One line of text. */
export function TextInput(props: TextInputProps) {
  const { label, description, placeholder, isMono, isDigits, suggestions, type = "text", ...field } = props;
  const listId = useId();
  const cut = useCutPaste(props.maxLength);
  return (
    <TextField {...field} className="grid gap-1.5" fullWidth type={type === "url" ? "text" : type}>
      <Label>{label}</Label>
      <Input
        className={isMono ? "font-mono" : undefined}
        dir={type === "text" && !isMono ? "auto" : undefined}
        inputMode={type === "url" ? "url" : isDigits ? "numeric" : undefined}
        list={suggestions && listId}
        onInput={(event) => {
          checkAgain(event);
          cut.onInput(event);
        }}
        onPaste={cut.onPaste}
        placeholder={placeholder}
      />
      {suggestions ? (
        <datalist id={listId}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      ) : null}
      <Hints cut={cut.words} description={description} />
    </TextField>
  );
}

/**
 * Takes the words at a wrong field away as soon as it is right, not when it is left: a button that moves up under the mouse,
 * for a line above it has gone, is not pressed.
 */
function checkAgain({ currentTarget: input }: FormEvent<HTMLInputElement | HTMLTextAreaElement>) {
  if (input.getAttribute("aria-invalid") === "true") input.dispatchEvent(new Event("change", { bubbles: true }));
}

interface TextAreaInputProps extends FieldProps {
  defaultValue?: string;
  placeholder?: string;
  maxLength?: number;
  rows?: number;
  /** Code and JSON: read from the left, whatever they begin with. */
  isMono?: boolean;
  onChange?: (value: string) => void;
}

/** Several lines of text. */
export function TextAreaInput({ label, description, placeholder, rows = 4, isMono, ...field }: TextAreaInputProps) {
  const cut = useCutPaste(field.maxLength);
  return (
    <TextField {...field} className="grid gap-1.5" fullWidth>
      <Label>{label}</Label>
      <TextArea
        className={isMono ? "font-mono" : undefined}
        dir={isMono ? undefined : "auto"}
        onInput={(event) => {
          checkAgain(event);
          cut.onInput(event);
        }}
        onPaste={cut.onPaste}
        placeholder={placeholder}
        rows={rows}
      />
      <Hints cut={cut.words} description={description} />
    </TextField>
  );
}
