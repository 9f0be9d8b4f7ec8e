"use client";

import { Button, Popover } from "@heroui/react";
import { LifeBuoy, LogOut, UserRound } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { ThemeToggle } from "@/components/shell/theme-toggle";
import { useCloseOnLeave } from "@/components/shell/use-close-on-leave";
import { SupportLink } from "@/components/ui/support-link";
import { showFailure } from "@/components/ui/toasts";
import { askBeforeLeaving } from "@/components/ui/unsaved-guard";
import { useSignOut } from "@/components/ui/use-sign-out";

export interface UserMenuProps {
  name: string | null;
  email: string;
  /** Where the person's own settings are. */
  accountHref: string;
  /** Ends this browser's session and leads away. */
  signOut: () => Promise<void>;
}

const ROW = "flex h-8 w-full items-center gap-2.5 rounded-md px-2 text-left hover:bg-default";

/** Who is signed in: own settings, theme, sign out. */
export function UserMenu({ name, email, accountHref, signOut }: UserMenuProps) {
  const [isOpen, setOpen] = useState(false);
  useCloseOnLeave(() => setOpen(false));
  return (
    <Popover isOpen={isOpen} onOpenChange={setOpen}>
      <Button
        aria-label={`You: ${email}`}
        className="size-8 min-w-8 rounded-full bg-default font-medium text-code text-foreground uppercase"
        isIconOnly
        size="sm"
        variant="ghost"
      >
        <span aria-hidden="true">{(name ?? email).slice(0, 1)}</span>
      </Button>
      <Popover.Content className="w-64" placement="bottom end">
        <Popover.Dialog aria-label="You" className="grid grid-cols-[minmax(0,1fr)] gap-1 p-2">
          <div className="px-2 pt-1 pb-2">
            {name ? (
              <p className="truncate text-left font-medium" dir="auto">
                {name}
              </p>
            ) : null}
            <p className="truncate text-code text-muted" title={email}>
              {email}
            </p>
          </div>
          <div className="flex items-center justify-between border-separator border-y px-2 py-2 text-muted">
            Theme
            <ThemeToggle />
          </div>
          <Link className={ROW} href={accountHref} onClick={() => setOpen(false)}>
            <UserRound aria-hidden="true" className="size-4 text-muted" />
            Your account
          </Link>
          <SupportLink className={ROW} orNothing>
            <LifeBuoy aria-hidden="true" className="size-4 text-muted" />
            Write to the support
          </SupportLink>
          <SignOut onAsked={() => setOpen(false)} signOut={signOut} />
        </Popover.Dialog>
      </Popover.Content>
    </Popover>
  );
}

/** @param props.onAsked when something would be lost, which is asked about first */
function SignOut({ signOut, onAsked }: Pick<UserMenuProps, "signOut"> & { onAsked: () => void }) {
  const { leave } = useSignOut(signOut, (words) => showFailure("Not signed out", words));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (askBeforeLeaving(leave)) onAsked();
        else leave();
      }}
    >
      <button className={ROW} type="submit">
        <LogOut aria-hidden="true" className="size-4 text-muted" />
        Sign out
      </button>
    </form>
  );
}
