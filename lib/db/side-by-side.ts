/**
 * Waits for work that is done side by side in one transaction, where the statements of one part follow those of another without
 * waiting for their answers. When a part fails, the others are waited for as well: none of them sends anything behind the rollback,
 * where it would stay.
 * @throws what failed first; that the database then refuses the rest is only what it led to
 */
export async function sideBySide<const Parts extends readonly unknown[]>(
  parts: Parts,
): Promise<{ -readonly [K in keyof Parts]: Awaited<Parts[K]> }> {
  const results = Promise.all(parts);
  await Promise.allSettled([...parts, results]);

  return results;
}
