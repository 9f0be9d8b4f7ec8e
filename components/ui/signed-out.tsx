import type { ReactNode } from "react";

/** The first words of it. */
export const SIGNED_OUT = "You are signed out";

/** All of it, for the place of a form's error; as `signInAgain`. */
export function signedOutError(isUnknown = false): ReactNode {
  return (
    <>
      {SIGNED_OUT}. {signInAgain(isUnknown)}
    </>
  );
}

/**
 * What to do once the session has ended: signing in happens in another tab, so that nothing that was typed is lost; the
 * cookie is shared, and the same press works then.
 * @param isUnknown whether the press before got no answer: it may have been what ended the session
 */
export function signInAgain(isUnknown = false): ReactNode {
  return (
    <>
      {isUnknown ? "The press before this one got no answer, and may have worked." : "Nothing was saved."}{" "}
      {signInLink()}, then come back to this one and press the button again. What you typed stays here.
    </>
  );
}

/** The way in, in another tab: for the beginning of a sentence that goes on with what to do then. */
export function signInLink(): ReactNode {
  const next = encodeURIComponent(location.pathname + location.search);
  return (
    <a
      className="font-medium text-accent-text underline underline-offset-2"
      data-signed-out=""
      href={`/panel/sign-in?next=${next}`}
      rel="noopener"
      target="_blank"
    >
      Sign in in a new tab
    </a>
  );
}
