interface FilterBase {
  /** The parameter of the address. */
  param: string;
  /** "Status" */
  label: string;
}

/** One of a few values. */
export interface ChoiceFilter extends FilterBase {
  kind: "choice";
  choices: { id: string; name: string }[];
  /** Where those are that the choices leave out. */
  others?: { text: string; href: string };
}

/** What people type: an id, a word. */
export interface TextFilter extends FilterBase {
  kind: "text";
  placeholder?: string;
}

/** From one day (UTC) to another, both included, as `YYYY-MM-DD` in `param` and `toParam`. */
export interface DatesFilter extends FilterBase {
  kind: "dates";
  toParam: string;
  /** Whether each can be a moment of its day, too, and days are those of the reader's own zone (`ui/day-time`). */
  hasTimes?: true;
}

export type Filter = ChoiceFilter | TextFilter | DatesFilter;

/** The parameters of the address that a filter is kept in. */
export function paramsOf(filter: Filter): string[] {
  return filter.kind === "dates" ? [filter.param, filter.toParam] : [filter.param];
}
