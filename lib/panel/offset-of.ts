import { offsetField } from "@/lib/contracts/fields";

/** The offset of a page's address; what cannot be one opens the list from its start. */
export function offsetOf(value: string | string[] | undefined): number {
  const parsed = offsetField.safeParse(value);
  return parsed.success ? parsed.data : 0;
}
