const LINES = ["w-1/3", "w-2/3", "w-1/2", "w-3/5", "w-2/5", "w-1/2"];

/** Takes the place of the reference until it is there. */
export function ReferenceSkeleton() {
  return (
    <div aria-busy="true" className="mx-auto w-full max-w-[1120px] px-4 py-16 sm:px-6" role="status">
      <span className="sr-only">The reference is being loaded.</span>
      {LINES.map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
        <div className={`mb-4 h-4 rounded-md bg-surface-secondary ${width}`} key={index} />
      ))}
    </div>
  );
}
