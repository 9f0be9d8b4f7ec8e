import { Fragment } from "react";

/** After each comma of JSON that has no spaces. */
export const AFTER_COMMAS = /(?<=,)/g;
/** Before each capital of a name such as `fileRetentionDays`. */
export const BEFORE_CAPITALS = /(?=[A-Z])/g;
/** After each underscore of a code such as `MODEL_RATE_LIMITED`. */
export const AFTER_UNDERSCORES = /(?<=_)/g;
/** Before each part of a path. */
export const BEFORE_SLASHES = /(?=\/)/g;

interface BreakableProps {
  text: string;
  /** Where a line may end; global, and of no width. */
  at: RegExp;
}

/** Text without spaces that would otherwise break within its words, where it is too long for a line. */
export function Breakable({ text, at }: BreakableProps) {
  const starts = [0, ...Array.from(text.matchAll(at), ({ index }) => index).filter((index) => index > 0)];
  return starts.map((start, index) => (
    <Fragment key={start}>
      {index > 0 ? <wbr /> : null}
      {text.slice(start, starts[index + 1])}
    </Fragment>
  ));
}
