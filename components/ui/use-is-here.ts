import { type RefObject, useEffect, useRef } from "react";

/** Whether the page still stands that began something: it may be left while the answer is under way. */
export function useIsHere(): RefObject<boolean> {
  const isHere = useRef(false);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return isHere;
}
