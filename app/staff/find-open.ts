import { AppError } from "@/lib/domain/errors";

/** What an address opens beside a list; null when there is no such thing: no reason to hide the list. */
export async function findOpen<T>(
  id: string | string[] | undefined,
  find: (id: string) => Promise<T>,
): Promise<T | null> {
  if (typeof id !== "string") return null;
  try {
    return await find(id);
  } catch (error) {
    if (error instanceof AppError && error.code === "NOT_FOUND") return null;
    throw error;
  }
}
