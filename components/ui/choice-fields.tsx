"use client";

import { Checkbox, CheckboxGroup, Label, ListBox, Select, Switch } from "@heroui/react";
import { type FieldProps, Hints } from "@/components/ui/field-hints";

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
  /** What is chosen, where something else than the field itself may change that; else it keeps it by itself. */
  value?: string;
  placeholder?: string;
  onChange?: (id: string) => void;
}

/** One of a few choices. */
export function SelectInput({ label, description, choices, placeholder, onChange, ...field }: SelectInputProps) {
  return (
    <Select
      {...field}
      className="grid grid-cols-1 gap-1.5"
      fullWidth
      onChange={onChange && ((key) => onChange(String(key)))}
      placeholder={placeholder ?? "Choose"}
    >
      <Label>{label}</Label>
      <Select.Trigger>
        <Select.Value className="min-w-0 truncate" />
        <Select.Indicator />
      </Select.Trigger>
      <Hints description={description} />
      {/* No wider than its field: centred below it, a long choice reached over what stands beside. */}
      <Select.Popover className="max-w-(--trigger-width)">
        <ListBox>
          {choices.map(({ id, name, isDisabled }) => (
            <ListBox.Item id={id} isDisabled={isDisabled} key={id} textValue={name}>
              {/* What people call their things: of any length, and in its own direction. */}
              <bdi className="min-w-0 [overflow-wrap:anywhere]">{name}</bdi>
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
