import { prisma } from "@/lib/db/prisma";
import { AppError } from "@/lib/domain/errors";
import { type BooksReport, checkBooks } from "@/lib/services/credits/check-books";
import { hasErasureBegun } from "@/lib/services/data-rights/begin-erasure";

/** What is wrong with the books of all accounts. */
export interface AllBooksReport {
  isClean: boolean;
  /** How many were looked at. */
  accounts: number;
  /** Those with problems. */
  wrong: BooksReport[];
}

/**
 * Checks the books of every account, one after the other, so that it is no load to speak of.
 * @param options.pageSize accounts that are found by one statement
 */
export async function checkAllBooks({ pageSize = 500 } = {}): Promise<AllBooksReport> {
  const report = { accounts: 0, wrong: [] as BooksReport[] };
  for (let last = ""; ; ) {
    const accounts = await prisma().account.findMany({
      where: { id: { gt: last } },
      orderBy: { id: "asc" },
      take: pageSize,
      select: { id: true },
    });
    for (const { id } of accounts) {
      const books = await checkBooks(id).catch(nullWhenErased);
      // Its books go row by row: what they say of each other meanwhile is nothing for anybody to put right.
      if (!books || (!books.isClean && (await hasErasureBegun(id)))) continue;
      report.accounts += 1;
      if (!books.isClean) report.wrong.push(books);
    }
    last = accounts.at(-1)?.id ?? last;
    if (accounts.length < pageSize) return { isClean: report.wrong.length === 0, ...report };
  }
}

/** Since it was found, an account may have been erased with all of its books. */
function nullWhenErased(error: unknown): null {
  if (error instanceof AppError && error.code === "NOT_FOUND") return null;
  throw error;
}
