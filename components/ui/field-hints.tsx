"use client";

import { Description, FieldError } from "@heroui/react";
import type { ReactNode } from "react";
import { FormError } from "@/components/ui/form-error";

/** What each field of a form has. */
export interface FieldProps {
  /** The name in the form, and in an action's `fieldErrors`. */
  name: string;
  label: string;
  /** Under the field: what it is for, in a sentence. */
  description?: ReactNode;
  isRequired?: boolean;
  isDisabled?: boolean;
  autoFocus?: boolean;
}

interface HintsProps {
  description: ReactNode;
  /** What of a paste has no room. */
  cut?: string | null;
}

/** Under a field: what it is for, and what is wrong with it. */
export function Hints({ description, cut }: HintsProps) {
  return (
    <>
      {description ? <Description>{description}</Description> : null}
      <FormError text={cut} />
      <FieldError />
    </>
  );
}
