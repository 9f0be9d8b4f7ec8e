"use client";

import { useEffect, useState } from "react";
import { DialogFrame, type DialogFrameProps } from "@/components/ui/dialog-frame";
import { SHOWN_ONCE, UnsavedGuard } from "@/components/ui/unsaved-guard";

/**
 * A question or a small form over the page: the focus stays in it, Esc closes it unless it is locked. A click beside it
 * closes it too, as long as nothing was written in it: that would be lost to a slip of the hand. The browser's back button
 * asks first then.
 */
export function Dialog({ state, title, isLocked = false, children, ...frame }: Omit<DialogFrameProps, "isWritten">) {
  const [isWritten, setWritten] = useState(false);
  // Under another title it is another form, or what became of the one before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was written is of one dialog
  useEffect(() => setWritten(false), [state.isOpen, title]);
  return (
    <DialogFrame {...frame} isLocked={isLocked} isWritten={isWritten} state={state} title={title}>
      <div className="contents" onInput={() => setWritten(true)}>
        {children}
      </div>
      {isLocked ? <UnsavedGuard {...SHOWN_ONCE} isDirty /> : null}
      {isWritten && !isLocked ? <UnsavedGuard holdsTab={false} isDirty /> : null}
    </DialogFrame>
  );
}
