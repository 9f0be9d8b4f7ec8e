import { Bell } from "lucide-react";
import { NearLink } from "@/components/ui/near-link";

/** More would not fit into the badge. */
const MOST_SHOWN = 99;

/** Leads to what the owner should look at, and says how much there is. */
export function AlertBell({ count, href }: { count: number; href: string }) {
  // The badge's text stands in the words: whoever speaks to the browser says what they see.
  const shown = count > MOST_SHOWN ? `${MOST_SHOWN}+` : String(count);
  const words = count === 0 ? "No open alerts" : count === 1 ? "1 open alert" : `${shown} open alerts`;
  return (
    <NearLink
      aria-label={words}
      className="relative grid size-8 place-items-center rounded-md text-muted hover:bg-default hover:text-foreground"
      href={href}
      title={words}
    >
      <Bell aria-hidden="true" className="size-4" />
      {count > 0 ? (
        <span
          aria-hidden="true"
          className="absolute top-0.5 right-0.5 grid h-3.5 min-w-3.5 place-items-center rounded-full bg-foreground px-1 font-medium text-[10px] text-background leading-none"
        >
          {shown}
        </span>
      ) : null}
    </NearLink>
  );
}
