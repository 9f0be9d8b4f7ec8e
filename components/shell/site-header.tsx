import { buttonVariants } from "@heroui/styles";
import Link from "next/link";
import { Logo } from "@/components/brand/logo";
import { SkipLink } from "@/components/shell/skip-link";
import { ThemeToggle } from "@/components/shell/theme-toggle";

/** The bar on top of the public pages. */
export function SiteHeader({ serviceName }: { serviceName: string }) {
  return (
    <header className="sticky top-0 z-20 border-separator border-b bg-background/85 backdrop-blur print:static">
      <SkipLink />
      <div className="mx-auto flex h-14 max-w-[1120px] items-center gap-2 px-4 max-[359px]:gap-1 max-[359px]:px-3 sm:gap-4 sm:px-6">
        <Link className="flex min-w-0 items-center gap-2.5 font-semibold max-[359px]:gap-1.5" href="/">
          <Logo className="size-6 shrink-0 max-[359px]:size-5" />
          {/* Beside the buttons of a phone a name takes up to three lines before it is cut; a scroll bar may stand beside it, too. */}
          <span className="line-clamp-3 leading-tight max-[359px]:text-code md:line-clamp-1">{serviceName}</span>
        </Link>
        <nav aria-label="Main" className="ml-auto hidden items-center gap-1 md:flex print:hidden">
          {/* Plain links: what the reference loads stays on its own page. */}
          <HeaderLink href="/docs">Docs</HeaderLink>
          <HeaderLink href="/docs/reference">API reference</HeaderLink>
        </nav>
        <nav aria-label="Account" className="ml-auto flex items-center gap-1 whitespace-nowrap md:ml-0 print:hidden">
          {/* On a phone it stands in the footer and on the page of Sign up: here it would take the name's place. */}
          <span className="hidden sm:block">
            <HeaderLink href="/panel/sign-in">Sign in</HeaderLink>
          </span>
          <a className={buttonVariants({ size: "sm", variant: "outline" })} href="/panel/sign-up">
            Sign up
          </a>
        </nav>
        <div className="print:hidden">
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
