"use client";

import { Toast, toast } from "@heroui/react";
import { type ReactNode, useEffect, useRef } from "react";
import { say } from "@/components/ui/spoken";

const SUCCESS_MS = 4_000;
/** Until it is closed. */
const STANDING_MS = 0;
/** What went wrong is read more slowly, and perhaps written down. */
const FAILURE_MS = 10_000;

/** The one place where toasts appear; stands in the shell. */
export function ToastRegion() {
  return (
    <Toast.Provider placement="bottom end">
      {({ toast: one }) => (
        <Toast placement="bottom end" toast={one} variant={one.content.variant}>
          <Toast.Indicator variant={one.content.variant} />
          <Words description={one.content.description} title={one.content.title} />
          <Toast.CloseButton />
        </Toast>
      )}
    </Toast.Provider>
  );
}

/**
 * Said from a place that was there before: the library makes each toast an alert, and an alert that comes as part of
 * something else is not read out by all screen readers.
 */
function Words({ title, description }: { title?: ReactNode; description?: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => say([...(place.current?.children ?? [])].map(({ textContent }) => textContent).join(". ")), []);
  return (
    <Toast.Content ref={place} role="none">
      {title ? <Toast.Title>{title}</Toast.Title> : null}
      {description ? <Toast.Description>{description}</Toast.Description> : null}
    </Toast.Content>
  );
}

/** Says what happened: "Key revoked". */
export function showSuccess(title: string, description?: string) {
  toast.success(title, { description, timeout: SUCCESS_MS });
}

/** Says what did not happen and what to do about it. @returns for `closeToast` */
export function showFailure(title: string, description?: string): string {
  return toast.danger(title, { description, timeout: FAILURE_MS });
}

/** Takes away what is said no longer: it is being tried again. */
export function closeToast(id: string | undefined) {
  if (id !== undefined) toast.close(id);
}

/** What an act did a part of: what was done, and why not the rest. */
export interface PartlyDone {
  title: string;
  description: string;
}

/** Says what was done and what was not. It stays: whoever pressed may look elsewhere by the time that it comes. @returns for `closeToast` */
export function showPartlyDone({ title, description }: PartlyDone): string {
  return toast.warning(title, { description, timeout: STANDING_MS });
}

let standing: string | undefined;

/** Says what nothing goes on without, and stays; another one takes its place. */
export function showStanding(title: string, description: ReactNode) {
  closeStanding();
  standing = toast.danger(title, { description, timeout: STANDING_MS });
}

/** Takes away what `showStanding` said: it is being tried again. */
export function closeStanding() {
  closeToast(standing);
  standing = undefined;
}
