/** The code of an error beside the state that it explains; whole on hover where a table cuts it. Nothing without one. */
export function ErrorCode({ code }: { code: string | null }) {
  if (!code) return null;
  return (
    <span className="ml-2 font-mono text-muted text-xs" title={code}>
      {code}
    </span>
  );
}
