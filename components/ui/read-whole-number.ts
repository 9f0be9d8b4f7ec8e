/**
 * What stands in a field for a whole number; null: nothing. NaN for all but digits, which no action takes: "1.000" is a
 * thousand to many and one to JavaScript.
 */
export function readWholeNumber(form: FormData, name: string): number | null {
  const text = String(form.get(name) ?? "").trim();
  if (text === "") return null;
  return /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
}
