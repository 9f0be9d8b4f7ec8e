import { prisma } from "@/lib/db/prisma";
import { type BooksReport, checkBooks } from "@/lib/services/credits/check-books";

/** What is wrong with the books of all accounts. */
export interface AllBooksReport {
  isClean: boolean;
  /** How many were looked at. */
  accounts: number;
  /** Those with problems. */
  wrong: BooksReport[];
}

const PAGE_SIZE = 500;

/** Checks the books of every account, one after the other, so that it is no load to speak of. */
export async function checkAllBooks(): Promise<AllBooksReport> {
  const report: AllBooksReport = { isClean: true, accounts: 0, wrong: [] };
  for (let last = ""; ; ) {
    const accounts = await prisma().account.findMany({
      where: { id: { gt: last } },
      orderBy: { id: "asc" },
      take: PAGE_SIZE,
      select: { id: true },
    });
    for (const { id } of accounts) {
      const books = await checkBooks(id);
      if (!books.isClean) report.wrong.push(books);
    }
    report.accounts += accounts.length;
    last = accounts.at(-1)?.id ?? last;
    if (accounts.length < PAGE_SIZE) return { ...report, isClean: report.wrong.length === 0 };
  }
}
