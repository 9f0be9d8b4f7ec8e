import { SkeletonBar } from "@/components/ui/skeletons";

/** The overview while it is read: head, the large chart with the plan, and the small charts in their places. */
export function OverviewSkeleton() {
  return (
    <div aria-busy="true">
      <p className="sr-only" role="status">
        Loading
      </p>
      <div aria-hidden="true">
        <SkeletonBar className="h-7 w-40" />
        <SkeletonBar className="mt-1.5 h-4 w-72 max-w-full" />
        <div className="mt-6 grid gap-10 lg:grid-cols-3">
          <SkeletonBar className="h-80 lg:col-span-2" />
          <SkeletonBar className="h-80" />
          <SkeletonBar className="h-80" />
          <SkeletonBar className="h-80" />
          <SkeletonBar className="h-80" />
        </div>
      </div>
    </div>
  );
}
