/** An id of the same kind, and nobody's. */
export function missingOf(id: string): string {
  return `${id.slice(0, -8)}${"0".repeat(8)}`;
}

/** What is left to compare of an answer that repeats what it was asked with. */
export function withoutIds(text: string, ids: readonly string[]): string {
  return ids.reduce((left, id) => left.replaceAll(id, "ID"), text);
}

/** Without what is new in every answer: times, and ids of what the call made for the caller. */
export function withoutTimes(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME").replaceAll(/[a-z]{3}_[0-9a-z]{26}/g, "ID");
}
