import type { ReactNode } from "react";

/** The first words of it. */
export const SIGNED_OUT = "You are signed out";

/** All of it, for the place of a form's error. */
export function signedOutError(): ReactNode {
  return (
    <>
      {SIGNED_OUT}. {signInAgain()}
    </>
  );
}

/**
 * What to do once the session has ended: signing in happens in another tab, so that nothing that was typed is lost; the
 * cookie is shared, and the same press works then.
 */
export function signInAgain(): ReactNode {
  const next = encodeURIComponent(location.pathname + location.search);
  return (
    <>
      Nothing was saved.{" "}
      <a
        className="font-medium text-accent-text underline underline-offset-2"
        data-signed-out=""
        href={`/panel/sign-in?next=${next}`}
        rel="noopener"
        target="_blank"
      >
        Sign in in a new tab
      </a>
      , then come back to this one and press the button again. What you typed stays here.
    </>
  );
}
