import { isUniqueViolation } from "@/lib/db/failures";
import type { Prisma } from "@/lib/db/generated/client";
import { randomBase62 } from "@/lib/domain/api-key";
import { emailSpellings, spellEmail } from "@/lib/domain/email-address";
import { type AppError, invalidField } from "@/lib/domain/errors";
import { newId } from "@/lib/domain/ids";
import { findPerson } from "@/lib/services/accounts/find-person";

const EMAIL_PATTERN = /^[^\s\p{C}@"<>(),;:\\[\]]+@[^\s\p{C}@"<>(),;:\\[\]]+\.[^\s\p{C}@"<>(),;:\\[\]]+$/u;
const MAX_EMAIL_CHARACTERS = 254;
const PASSWORD_CHARACTERS = 24;

/** A random password of 24 letters and digits (142 bits), for people whom an operator signs up. */
export function newPassword(): string {
  return randomBase62(PASSWORD_CHARACTERS);
}

/**
 * The one spelling under which an e-mail address is stored and looked up.
 * @throws AppError VALIDATION_FAILED
 */
export function normalizeEmail(email: string): string {
  const normalized = readEmail(email);
  if (normalized === null) throw invalidField("email", "must be an e-mail address, such as ann@example.com");
  return normalized;
}

/** The same; null for what is no e-mail address. */
export function readEmail(email: string): string | null {
  const normalized = spellEmail(email);
  return normalized.length <= MAX_EMAIL_CHARACTERS && EMAIL_PATTERN.test(normalized) ? normalized : null;
}

/** Whom to create; `email` is normalised already. */
export interface NewUser {
  email: string;
  /** Null: signs in through another service alone. */
  passwordHash: string | null;
  isStaff: boolean;
  /** Made beforehand by whoever acts as this very person. */
  id?: string;
  name?: string;
  /** Absent: it is, for whoever creates the person vouches for it. */
  isEmailConfirmed?: boolean;
}

/**
 * Creates a person in the caller's transaction; returns their id.
 * @throws AppError VALIDATION_FAILED when the e-mail address is taken
 */
export async function createUser(tx: Prisma.TransactionClient, user: NewUser): Promise<string> {
  const { id = newId("user"), isEmailConfirmed = true, ...rest } = user;
  // The database knows one spelling alone.
  if (emailSpellings(user.email).length > 1 && (await findPerson(tx, user.email))) throw emailTaken();
  try {
    await tx.user.create({ data: { id, ...rest, emailVerifiedAt: isEmailConfirmed ? new Date() : null } });
  } catch (error) {
    if (isUniqueViolation(error)) throw emailTaken();
    throw error;
  }
  return id;
}

function emailTaken(): AppError {
  return invalidField("email", "belongs to a user already; choose another");
}
