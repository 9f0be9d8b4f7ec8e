import { type ReactNode, useCallback, useEffect, useState } from "react";
import { saidAnew } from "@/components/ui/said-anew";

/** Long enough to be read out; whoever reads on through the page later finds nothing of it. */
const STAYS_MS = 10_000;

/** Words for a place that screen readers are told of, gone again after a while; and what says others there. */
export function usePassingWords(): [words: ReactNode, say: (words: string) => void] {
  const [words, setWords] = useState<ReactNode>(null);
  useEffect(() => {
    if (words === null) return;
    const timer = setTimeout(() => setWords(null), STAYS_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return [words, useCallback((said) => setWords(saidAnew(said)), [])];
}
