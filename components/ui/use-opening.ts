import { useCallback, useEffect, useRef } from "react";

/**
 * For what begins in a form and ends later: the form may be closed then, or have been opened anew for something else.
 * @returns what is asked at the beginning, and tells later whether that form is open still
 */
export function useOpening(isOpen: boolean): () => () => boolean {
  // Another one each time that it is opened.
  const opening = useRef<object>(null);
  useEffect(() => {
    opening.current = isOpen ? {} : null;
    return () => {
      opening.current = null;
    };
  }, [isOpen]);
  return useCallback(() => {
    const asked = opening.current;
    return () => asked !== null && opening.current === asked;
  }, []);
}
