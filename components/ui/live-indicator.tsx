/** Whether a page goes on by itself: connected, or trying to be again. */
export function LiveIndicator({ isLive }: { isLive: boolean }) {
  return (
    <span aria-live="polite" className="inline-flex items-center gap-2 text-code text-muted">
      <span
        aria-hidden="true"
        className={`size-1.5 rounded-full ${isLive ? "bg-success motion-safe:animate-pulse" : "bg-warning"}`}
      />
      {isLive ? "Live" : "Reconnecting"}
    </span>
  );
}
