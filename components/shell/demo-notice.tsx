/** Says on every page that nobody thinks about these answers. */
export function DemoNotice() {
  return (
    <aside
      aria-label="Demo model"
      className="flex flex-wrap items-center gap-x-2 border-warning/40 border-b bg-warning/10 px-4 py-2 text-code sm:px-6 lg:px-8"
    >
      <span aria-hidden="true" className="size-1.5 rounded-full bg-warning" />
      <strong className="font-semibold">Demo model.</strong>
      <span>
        Answers are demo answers. Set <code className="text-code">OPENAI_API_KEY</code> and start again for real ones.
      </span>
    </aside>
  );
}
