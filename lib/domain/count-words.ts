/** "1 credit", "1204 credits": for texts that programs read too, without thousands separators. */
export function countWords(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
