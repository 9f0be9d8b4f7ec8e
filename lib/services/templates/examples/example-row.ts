import type { TemplateExample } from "@/lib/contracts/template-examples";

/** An example as the queries of this folder select it. */
export interface ExampleRow {
  id: string;
  name: string;
  values: Record<string, string>;
  message: string;
  updated_at: Date;
}

export const EXAMPLE_COLUMNS = "e.id, e.name, e.values, e.message, e.updated_at";

/** The example as the panel has it. */
export function toExample({ updated_at, ...row }: ExampleRow): TemplateExample {
  return { ...row, updatedAt: updated_at.toISOString() };
}
