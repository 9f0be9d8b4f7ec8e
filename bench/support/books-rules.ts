import type { Books } from "@/e2e/support/books";

/** What must hold of an account when nothing runs, whatever happened before; in words, what does not. */
export function findViolations(books: Books): string[] {
  const open = (books.turns.queued ?? 0) + (books.turns.running ?? 0);
  const rules: [isBroken: boolean, words: string][] = [
    [open > 0, `${open} turns have not ended`],
    [books.ledger !== books.balance, `the ledger's sum is ${books.ledger}, the balance ${books.balance}`],
    [books.balance < 0, `the balance is ${books.balance}`],
    [open === 0 && books.reserved !== 0, `${books.reserved} credits are still reserved`],
    [books.doubleCharges > 0, `${books.doubleCharges} turns were charged twice`],
    [books.wrongTerminals > 0, `${books.wrongTerminals} ended turns have not exactly one terminal event`],
    [books.wrongTexts > 0, `${books.wrongTexts} outputs are not their chunks joined`],
    [books.wrongDeliveries > 0, `${books.wrongDeliveries} turns have not exactly one delivery`],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, words]) => words);
}
