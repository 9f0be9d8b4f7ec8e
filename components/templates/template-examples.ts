import type { ActionResult } from "@/lib/contracts/action-result";
import type { SaveResult } from "@/lib/contracts/edit-base";
import type {
  ExampleIdInput,
  ExamplesQuote,
  KeepExampleInput,
  QuoteExamplesInput,
  SaveExampleInput,
  TemplateExample,
} from "@/lib/contracts/template-examples";

/** The examples of a template, and what the reader may do with them. */
export interface TemplateExamples {
  templateId: string;
  /** By their names. */
  list: TemplateExample[];
  /** So many a template may have. */
  max: number;
  /** Whether the reader may keep and change them, and delete them; choosing and trying them is for everybody. */
  mayKeep: boolean;
  mayDelete: boolean;
  keep: (input: KeepExampleInput) => Promise<ActionResult<TemplateExample>>;
  save: (input: SaveExampleInput) => Promise<ActionResult<SaveResult<TemplateExample>>>;
  remove: (input: ExampleIdInput) => Promise<ActionResult<null>>;
  quote: (input: QuoteExamplesInput) => Promise<ActionResult<ExamplesQuote>>;
}
