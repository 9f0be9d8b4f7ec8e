import type { ReactNode } from "react";
import { Logo } from "@/components/brand/logo";
import { AlertBell } from "@/components/shell/alert-bell";
import { DropKeeper } from "@/components/shell/drop-keeper";
import { FocusKeeper } from "@/components/shell/focus-keeper";
import { NavigationDrawer } from "@/components/shell/navigation-drawer";
import { type NavigationGroup, NavigationLinks } from "@/components/shell/navigation-links";
import { PaperZone } from "@/components/shell/paper-zone";
import { PlaceWatch } from "@/components/shell/place-watch";
import { ScrollKeeper } from "@/components/shell/scroll-keeper";
import { SearchBox } from "@/components/shell/search-box";
import { SkipLink } from "@/components/shell/skip-link";
import { UserMenu, type UserMenuProps } from "@/components/shell/user-menu";
import { NearLink } from "@/components/ui/near-link";
import { PasswordPrompt } from "@/components/ui/password-prompt";
import { PlaceProvider } from "@/components/ui/place";
import { ToastRegion } from "@/components/ui/toasts";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { Place } from "@/lib/contracts/place";

interface PanelShellProps {
  serviceName: string;
  /** Whose part of the service this is, below its name: "Staff". */
  audience?: string;
  /** Where the mark leads. */
  homeHref: string;
  /** Name of the navigation for screen readers: "Panel". */
  label: string;
  groups: NavigationGroup[];
  /** On top of the navigation: the project switch. */
  switcher?: ReactNode;
  /** What every page has to say, e.g. that answers are demo answers. */
  notice?: ReactNode;
  /** Where the search box leads with `?q=`; none: no box. */
  searchHref?: string;
  /** What it takes, where that is more than an id. */
  searchHint?: string;
  alerts?: { count: number; href: string };
  user: UserMenuProps;
  /** Makes the sign-in fresh, where an act wants the password first. */
  confirmPassword: (input: { password: string }) => Promise<ActionResult<unknown>>;
  /** For whom the pages are drawn, and who is signed in now. */
  place: Place;
  readPlace: () => Promise<ActionResult<Place>>;
  children: ReactNode;
}

/** What stands around every page behind a sign-in: navigation on the left, search and the person on top. */
export function PanelShell(props: PanelShellProps) {
  const {
    label,
    groups,
    switcher,
    notice,
    searchHref,
    searchHint,
    alerts,
    user,
    confirmPassword,
    place,
    readPlace,
    children,
  } = props;
  const side = (
    <>
      {switcher ? <div className="px-3 pt-3">{switcher}</div> : null}
      <NavigationLinks groups={groups} label={label} />
    </>
  );
  return (
    <div className="grid min-h-dvh grid-cols-[minmax(0,1fr)] lg:grid-cols-[240px_minmax(0,1fr)] print:block">
      <SkipLink />
      <aside
        aria-label="Side bar"
        className="sticky top-0 hidden h-dvh overflow-y-auto border-separator border-r bg-surface lg:block print:hidden"
      >
        <Brand {...props} />
        {side}
      </aside>
      <div className="flex min-w-0 flex-col">
        <header className="sticky top-0 z-20 flex h-14 items-center gap-2 border-separator border-b bg-background/90 px-3 backdrop-blur sm:px-6 lg:px-8 print:hidden">
          <NavigationDrawer>
            <Brand {...props} />
            {side}
          </NavigationDrawer>
          {searchHref ? <SearchBox hint={searchHint} href={searchHref} /> : null}
          <div className="ml-auto flex items-center gap-1">
            {alerts ? <AlertBell {...alerts} /> : null}
            <UserMenu {...user} />
          </div>
        </header>
        {notice}
        <main className="mx-auto w-full max-w-[1264px] flex-1 px-4 py-6 sm:px-6 lg:px-8" id="content" tabIndex={-1}>
          <PlaceProvider place={place} readPlace={readPlace}>
            <PlaceWatch />
            <PasswordPrompt confirmPassword={confirmPassword}>{children}</PasswordPrompt>
          </PlaceProvider>
        </main>
        <PaperZone />
      </div>
      <DropKeeper />
      <FocusKeeper />
      <ScrollKeeper />
      <ToastRegion />
    </div>
  );
}

function Brand({ homeHref, serviceName, audience }: Pick<PanelShellProps, "homeHref" | "serviceName" | "audience">) {
  return (
    // In the drawer the button that closes it stands on the right.
    <NearLink
      className="flex h-14 items-center gap-2.5 border-separator border-b pr-12 pl-5 font-semibold lg:pr-5"
      href={homeHref}
    >
      <Logo className="size-6 shrink-0" />
      <span className="leading-tight">
        <span className="line-clamp-2">{serviceName}</span>
        {audience ? <span className="block font-normal text-muted text-xs">{audience}</span> : null}
      </span>
    </NearLink>
  );
}
