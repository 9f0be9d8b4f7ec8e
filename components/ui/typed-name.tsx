"use client";

import { Input, Label, TextField } from "@heroui/react";

interface TypedNameProps {
  /** What has to be typed. */
  name: string;
  value: string;
  onChange: (value: string) => void;
}

/** Asks for a thing's name, so that nothing is destroyed by a slip of the hand. */
export function TypedName({ name, value, onChange }: TypedNameProps) {
  return (
    <TextField autoFocus className="grid gap-1.5" fullWidth onChange={onChange} value={value}>
      <Label>
        Type <bdi className="font-mono text-code [overflow-wrap:anywhere]">{name}</bdi> to go on
      </Label>
      <Input autoComplete="off" spellCheck={false} />
    </TextField>
  );
}
