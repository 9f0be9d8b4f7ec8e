import { usePathname } from "next/navigation";
import { useState } from "react";

/**
 * Closes what is open in the shell once another page is shown, by the browser's back button too: the shell stays, and with
 * it what hangs from it.
 */
export function useCloseOnLeave(close: () => void): void {
  const path = usePathname();
  const [openedOn, setOpenedOn] = useState(path);
  if (openedOn !== path) {
    setOpenedOn(path);
    close();
  }
}
