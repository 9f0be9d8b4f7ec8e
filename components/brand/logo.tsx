/** The product's mark: one request, three ways to its result. Drawn in the accent colour of app/tokens.css. */
export function Logo({ className = "size-6" }: { className?: string }) {
  return (
    <svg aria-hidden="true" className={className} viewBox="0 0 32 32">
      <rect className="fill-accent" height="32" rx="8" width="32" />
      <g className="stroke-accent-foreground" fill="none" strokeLinecap="round" strokeWidth="2.6">
        <path d="M7 16h7" />
        <path d="M14 16c4 0 4-6.5 8-6.5h3" />
        <path d="M14 16h11" />
        <path d="M14 16c4 0 4 6.5 8 6.5h3" />
      </g>
    </svg>
  );
}
