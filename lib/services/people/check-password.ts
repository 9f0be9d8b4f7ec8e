import { invalidField } from "@/lib/domain/errors";
import { passwordFault } from "@/lib/domain/password-policy";

/** @throws AppError VALIDATION_FAILED naming `password` when it is too short, too long or too well known */
export function assertGoodPassword(password: string, email: string): void {
  const fault = passwordFault(password, email);
  if (fault !== null) throw invalidField("password", fault);
}
