import type { ReactNode } from "react";

/** What is wrong and stands at no field of the library's own; null: nothing. */
export function FormError({ text, className = "" }: { text: ReactNode; className?: string }) {
  if (!text) return null;
  return (
    <p className={`text-code text-danger ${className}`} role="alert">
      {text}
    </p>
  );
}
