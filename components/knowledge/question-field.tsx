"use client";

import { FormError } from "@/components/ui/form-error";
import { useCutPaste } from "@/components/ui/use-cut-paste";

interface QuestionFieldProps {
  /** What was asked last. */
  question: string;
  maxCharacters: number;
}

/** A question that goes into the page's address; works before the page's scripts do. */
export function QuestionField({ question, maxCharacters }: QuestionFieldProps) {
  const { words, ...cut } = useCutPaste(maxCharacters);
  return (
    <>
      <label className="font-medium text-sm" htmlFor="knowledge-question">
        A question that a call may ask
      </label>
      <textarea
        {...cut}
        className="w-full rounded-lg border border-field-border bg-field px-3 py-2 outline-none focus:border-focus focus:ring-1 focus:ring-focus"
        defaultValue={question}
        dir="auto"
        id="knowledge-question"
        maxLength={maxCharacters}
        name="question"
        required
        rows={2}
      />
      <FormError text={words} />
    </>
  );
}
