import Link from "next/link";
import { Logo } from "@/components/brand/logo";
import { ThemeToggle } from "@/components/shell/theme-toggle";

/** The bar on top of the public pages. */
export function SiteHeader({ serviceName }: { serviceName: string }) {
  return (
    <header className="sticky top-0 z-20 border-separator border-b bg-background/85 backdrop-blur">
      <a
        className="sr-only focus:not-sr-only focus:absolute focus:top-2 focus:left-4 focus:z-30 focus:rounded-md focus:bg-surface focus:px-3 focus:py-2"
        href="#content"
      >
        Skip to the content
      </a>
      <div className="mx-auto flex h-14 max-w-[1120px] items-center gap-4 px-4 sm:px-6">
        <Link className="flex min-w-0 items-center gap-2.5 font-semibold" href="/">
          <Logo />
          <span className="truncate">{serviceName}</span>
        </Link>
        <nav aria-label="Main" className="ml-auto hidden items-center gap-1 sm:flex">
          {/* Plain links: the second is not a page of this layout. */}
          <HeaderLink href="/docs/errors">Errors</HeaderLink>
          <HeaderLink href="/openapi.json">OpenAPI</HeaderLink>
        </nav>
        <div className="ml-auto sm:ml-0">
          <ThemeToggle />
        </div>
      </div>
    </header>
  );
}

function HeaderLink({ href, children }: { href: string; children: string }) {
  return (
    <a
      className="rounded-md px-3 py-1.5 text-muted motion-safe:transition-colors duration-100 hover:text-foreground"
      href={href}
    >
      {children}
    </a>
  );
}
