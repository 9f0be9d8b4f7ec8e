"use client";

import { Toast, toast } from "@heroui/react";

const SUCCESS_MS = 4_000;
/** What went wrong is read more slowly, and perhaps written down. */
const FAILURE_MS = 10_000;

/** The one place where toasts appear; stands in the shell. */
export function ToastRegion() {
  return <Toast.Provider placement="bottom end" />;
}

/** Says what happened: "Key revoked". */
export function showSuccess(title: string, description?: string) {
  toast.success(title, { description, timeout: SUCCESS_MS });
}

/** Says what did not happen and what to do about it. */
export function showFailure(title: string, description?: string) {
  toast.danger(title, { description, timeout: FAILURE_MS });
}
