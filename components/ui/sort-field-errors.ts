/** What a refused action is about, as it is shown. */
export interface SortedErrors {
  /** By the name of a field that is there: sentences. */
  fieldErrors: Record<string, string>;
  /** Of all other fields, in sentences with their names; null: nothing. */
  formError: string | null;
}

/**
 * Sorts the errors of an action's answer (`describeIssue`'s words, or sentences) into those that stand at a field and
 * those that only the form can show.
 */
export function sortFieldErrors(
  errors: Record<string, string> = {},
  hasField: (name: string) => boolean,
): SortedErrors {
  const fieldErrors: Record<string, string> = {};
  const elsewhere: string[] = [];
  for (const [name, text] of Object.entries(errors)) {
    if (hasField(name)) fieldErrors[name] = sentence(withoutName(text, name));
    else elsewhere.push(sentence(followsName(text) ? `${name || "what was sent"} ${text}` : text));
  }
  return { fieldErrors, formError: elsewhere.length > 0 ? elsewhere.join(" ") : null };
}

/** "url must begin with https://." at the field, whose label is another: "must begin with https://." */
function withoutName(text: string, name: string): string {
  return text.startsWith(`${name} `) ? text.slice(name.length + 1) : text;
}

/** "is required" follows the field's name; what is a sentence already stays alone. */
function followsName(text: string): boolean {
  return /^\p{Ll}/u.test(text);
}

/** "is required" stands alone at its field: "Is required." */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}
