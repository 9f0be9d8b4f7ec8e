const ROW_WIDTHS = ["w-3/5", "w-2/5", "w-1/2", "w-1/3", "w-2/3"];

/** A grey bar where text will be; give it the text's height and width. */
export function SkeletonBar({ className }: { className: string }) {
  return <span className={`block rounded bg-default motion-safe:animate-pulse ${className}`} />;
}

/** What `loading.tsx` of a list page shows: header, filters and rows in their places, so that nothing jumps. */
export function ListSkeleton({ rows = 8, columns = 4 }: { rows?: number; columns?: number }) {
  return (
    <div aria-busy="true">
      <p className="sr-only" role="status">
        Loading
      </p>
      <HeaderSkeleton />
      <div aria-hidden="true" className="mt-6">
        {Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a skeleton have nothing but their place
          <div className="flex h-10 items-center gap-6 border-separator border-b px-2" key={row}>
            {Array.from({ length: columns }, (_, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              <span className="flex-1" key={column}>
                <SkeletonBar className={`h-3 ${ROW_WIDTHS[(row + column) % ROW_WIDTHS.length]}`} />
              </span>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The same for a page with facts, a form or a chart. */
export function DetailSkeleton() {
  return (
    <div aria-busy="true">
      <p className="sr-only" role="status">
        Loading
      </p>
      <HeaderSkeleton />
      <SkeletonBar className="mt-6 h-56 w-full" />
      <SkeletonBar className="mt-6 h-3 w-2/3" />
      <SkeletonBar className="mt-3 h-3 w-1/2" />
    </div>
  );
}

function HeaderSkeleton() {
  return (
    <div aria-hidden="true">
      <SkeletonBar className="h-7 w-40" />
      <SkeletonBar className="mt-1.5 h-4 w-72 max-w-full" />
    </div>
  );
}
