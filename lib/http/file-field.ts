/**
 * Whether a part of that name is a file of the field. Where the field takes many, `file[]` and `file[0]` are it too: PHP's
 * curl cannot send one name twice, and axios and others write lists so.
 */
export function isFileField(name: string | undefined, { field, max }: { field: string; max: number }): boolean {
  if (name === field) return true;
  return max > 1 && name?.startsWith(field) === true && /^\[\d*\]$/.test(name.slice(field.length));
}
