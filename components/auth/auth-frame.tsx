import Link from "next/link";
import type { ReactNode } from "react";
import { Logo } from "@/components/brand/logo";
import { ThemeToggle } from "@/components/shell/theme-toggle";

interface AuthFrameProps {
  serviceName: string;
  children: ReactNode;
}

/** Around the pages before the panel: the mark, one thing to do, and nothing beside it. */
export function AuthFrame({ serviceName, children }: AuthFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-14 items-center justify-between px-4 sm:px-6">
        <Link className="flex min-w-0 items-center gap-2.5 font-semibold" href="/">
          <Logo className="size-6 shrink-0" />
          <span className="line-clamp-2 leading-tight">{serviceName}</span>
        </Link>
        <ThemeToggle />
      </header>
      <main className="flex flex-1 flex-col items-center px-4 pt-[min(12vh,7rem)] pb-24" id="content">
        {/* Names and addresses of people and companies may be one long word. */}
        <div className="w-full max-w-[400px] [overflow-wrap:anywhere]">{children}</div>
      </main>
    </div>
  );
}

interface AuthHeadingProps {
  title: ReactNode;
  /** In a sentence: what comes of it. */
  text?: ReactNode;
}

/** What the page is for. */
export function AuthHeading({ title, text }: AuthHeadingProps) {
  return (
    <div className="mb-7">
      <h1 className="font-semibold text-title tracking-[-0.015em]">{title}</h1>
      {text ? <p className="mt-1.5 text-pretty text-muted">{text}</p> : null}
    </div>
  );
}

/** The other way, under the form. */
export function AuthFooter({ children }: { children: ReactNode }) {
  return <p className="mt-7 border-separator border-t pt-5 text-muted">{children}</p>;
}

/** A link within a sentence. */
export function AuthLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link className="font-medium text-accent-text underline-offset-4 hover:underline" href={href}>
      {children}
    </Link>
  );
}

/** What the page has to say: a problem, or that something is done. */
export function AuthNotice({ tone, children }: { tone: "danger" | "success"; children: ReactNode }) {
  const look = tone === "danger" ? "border-danger/40 bg-danger/8" : "border-success/40 bg-success/8";
  return (
    <div className={`mb-5 rounded-lg border px-3.5 py-2.5 ${look}`} role={tone === "danger" ? "alert" : "status"}>
      {children}
    </div>
  );
}

/** Says to whoever has switched scripts off why the form does nothing. It would come back empty, without a word. */
export function NeedsScripts() {
  return (
    <noscript>
      <AuthNotice tone="danger">
        This page needs JavaScript, which is switched off in your browser. Switch it on for this page, then load it
        again.
      </AuthNotice>
    </noscript>
  );
}
