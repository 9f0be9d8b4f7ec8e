"use client";

import { TextInput } from "@/components/ui/fields";

/** Where a new password is chosen. The length is checked by the server, with the other rules. */
export function NewPasswordInput({ label = "Password", name = "password" }: { label?: string; name?: string }) {
  return (
    <TextInput
      autoComplete="new-password"
      description="At least 12 characters. Some words in a row are easy to keep and hard to guess."
      isRequired
      label={label}
      maxLength={200}
      name={name}
      type="password"
    />
  );
}
