"use client";

import {
  Checkbox,
  CheckboxGroup,
  Description,
  FieldError,
  Input,
  Label,
  ListBox,
  Select,
  Switch,
  TextArea,
  TextField,
} from "@heroui/react";
import { type FormEvent, type ReactNode, useId } from "react";

interface FieldProps {
  /** The name in the form, and in an action's `fieldErrors`. */
  name: string;
  label: string;
  /** Under the field: what it is for, in a sentence. */
  description?: ReactNode;
  isRequired?: boolean;
  isDisabled?: boolean;
  autoFocus?: boolean;
}

interface TextInputProps extends FieldProps {
  /** An address is checked by the action alone: of one without https:// browsers only say that it is none. */
  type?: "text" | "email" | "password" | "url" | "number" | "date";
  defaultValue?: string;
  placeholder?: string;
  maxLength?: number;
  autoComplete?: string;
  isMono?: boolean;
  /** What is offered while one types; anything else can be typed too. */
  suggestions?: string[];
  onChange?: (value: string) => void;
}

/** One line of text. */
export function TextInput(props: TextInputProps) {
  const { label, description, placeholder, isMono, suggestions, type = "text", ...field } = props;
  const listId = useId();
  return (
    <TextField {...field} className="grid gap-1.5" fullWidth type={type === "url" ? "text" : type}>
      <Label>{label}</Label>
      <Input
        className={isMono ? "font-mono" : undefined}
        dir={type === "text" && !isMono ? "auto" : undefined}
        inputMode={type === "url" ? "url" : undefined}
        list={suggestions && listId}
        onInput={checkAgain}
        placeholder={placeholder}
      />
      {suggestions ? (
        <datalist id={listId}>
          {suggestions.map((suggestion) => (
            <option key={suggestion} value={suggestion} />
          ))}
        </datalist>
      ) : null}
      <Hints description={description} />
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
  return (
    <TextField {...field} className="grid gap-1.5" fullWidth>
      <Label>{label}</Label>
      <TextArea
        className={isMono ? "font-mono" : undefined}
        dir={isMono ? undefined : "auto"}
        onInput={checkAgain}
        placeholder={placeholder}
        rows={rows}
      />
      <Hints description={description} />
    </TextField>
  );
}

export interface Choice {
  id: string;
  name: string;
  /** Under the name, where the choice needs words. */
  text?: string;
  isDisabled?: boolean;
}

interface SelectInputProps extends FieldProps {
  choices: Choice[];
  defaultValue?: string;
  placeholder?: string;
  onChange?: (id: string) => void;
}

/** One of a few choices. */
export function SelectInput({ label, description, choices, placeholder, onChange, ...field }: SelectInputProps) {
  return (
    <Select
      {...field}
      className="grid gap-1.5"
      fullWidth
      onChange={onChange && ((key) => onChange(String(key)))}
      placeholder={placeholder ?? "Choose"}
    >
      <Label>{label}</Label>
      <Select.Trigger>
        <Select.Value />
        <Select.Indicator />
      </Select.Trigger>
      <Hints description={description} />
      <Select.Popover>
        <ListBox>
          {choices.map(({ id, name, isDisabled }) => (
            <ListBox.Item id={id} isDisabled={isDisabled} key={id} textValue={name}>
              {name}
              <ListBox.ItemIndicator />
            </ListBox.Item>
          ))}
        </ListBox>
      </Select.Popover>
    </Select>
  );
}

interface CheckboxesInputProps extends Omit<FieldProps, "autoFocus"> {
  choices: Choice[];
  defaultValue?: string[];
}

/** Any of a few choices; a form reads them with `getAll(name)`. */
export function CheckboxesInput({ label, description, choices, ...field }: CheckboxesInputProps) {
  return (
    // One distance between all of it; the library's own stands above each choice alone, and nothing under the last one.
    <CheckboxGroup {...field} className="grid gap-3 pb-1 [&_[data-slot=checkbox]]:mt-0">
      <Label>{label}</Label>
      {choices.map(({ id, name, text, isDisabled }) => (
        <Checkbox isDisabled={isDisabled} key={id} value={id}>
          <Checkbox.Content>
            <Checkbox.Control>
              <Checkbox.Indicator />
            </Checkbox.Control>
            <span>
              {name}
              {text ? <span className="block text-code text-muted">{text}</span> : null}
            </span>
          </Checkbox.Content>
        </Checkbox>
      ))}
      <Hints description={description} />
    </CheckboxGroup>
  );
}

interface SwitchInputProps extends Omit<FieldProps, "isRequired"> {
  defaultSelected?: boolean;
  /** For switches that act at once, without a form. */
  isSelected?: boolean;
  onChange?: (isSelected: boolean) => void;
}

/** On or off; a form has "on" or nothing. */
export function SwitchInput({ label, description, ...field }: SwitchInputProps) {
  return (
    <Switch {...field} value="on">
      <Switch.Content>
        <Switch.Control>
          <Switch.Thumb />
        </Switch.Control>
        <span>
          {label}
          {description ? <span className="block text-code text-muted">{description}</span> : null}
        </span>
      </Switch.Content>
    </Switch>
  );
}

function Hints({ description }: { description: ReactNode }) {
  return (
    <>
      {description ? <Description>{description}</Description> : null}
      <FieldError />
    </>
  );
}
