import type { ErrorCode } from "@/lib/domain/errors";

/**
 * What an action of the panel answers. `SIGNED_OUT`: the session has ended; the reader signs in, and the same call works.
 * `CONFIRM_PASSWORD`: the action wants the password first, then the same call again.
 */
export type ActionResult<Data> =
  | { ok: true; data: Data }
  | {
      ok: false;
      code: ErrorCode | "SIGNED_OUT" | "CONFIRM_PASSWORD";
      message: string;
      /** By the field's name, such as `email`: what is wrong, following the name: "is required". */
      fieldErrors?: Record<string, string>;
    };

export type ActionFailure = Extract<ActionResult<never>, { ok: false }>;
