"use client";

import { type RefObject, useCallback, useRef } from "react";

/** For a form whose fields are known by looking at it: a ref for the form, and whether it has a field of a name. */
export function useFormFields(): { form: RefObject<HTMLFormElement | null>; hasField: (name: string) => boolean } {
  const form = useRef<HTMLFormElement>(null);
  const hasField = useCallback(
    (name: string) => name !== "" && form.current !== null && form.current.elements.namedItem(name) !== null,
    [],
  );
  return { form, hasField };
}
