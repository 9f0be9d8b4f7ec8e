import type { ReactNode } from "react";

interface MessagePageProps {
  title: string;
  text: string;
  /** Links or buttons: what to do next. */
  children: ReactNode;
}

/** A page that has one thing to say: not found, broken. */
export function MessagePage({ title, text, children }: MessagePageProps) {
  return (
    <main className="mx-auto flex w-full max-w-[1120px] flex-1 flex-col justify-center px-4 py-24 sm:px-6" id="content">
      <h1 className="font-semibold text-display tracking-[-0.025em]">{title}</h1>
      <p className="mt-3 max-w-[52ch] text-muted">{text}</p>
      <div className="mt-8 flex flex-wrap gap-3">{children}</div>
    </main>
  );
}
