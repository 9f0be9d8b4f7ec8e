/** The first stop of the keyboard on every page: past the navigation. */
export function SkipLink() {
  return (
    <a
      className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-4 focus:z-30 focus:rounded-md focus:bg-surface focus:px-3 focus:py-2"
      href="#content"
    >
      Skip to the content
    </a>
  );
}
