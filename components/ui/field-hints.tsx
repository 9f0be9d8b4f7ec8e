"use client";

import { Description, FieldError } from "@heroui/react";
import type { ReactNode } from "react";

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

/** Under a field: what it is for, and what is wrong with it. */
export function Hints({ description }: { description: ReactNode }) {
  return (
    <>
      {description ? <Description>{description}</Description> : null}
      <FieldError />
    </>
  );
}
