import { type AddressParams, addressWith } from "@/components/ui/address";
import { LinkStrip } from "@/components/ui/link-strip";
import { NearLink } from "@/components/ui/near-link";

interface TabLinksProps {
  /** For screen readers: "Parts of the session". */
  label: string;
  path: string;
  params: AddressParams;
  /** The address's parameter that names the open tab. */
  param?: string;
  /** The first is the one that an address without the parameter opens. */
  tabs: { id: string; name: string; count?: number }[];
  current: string;
}

/** Tabs that live in the address: each is a link, the server draws what it shows. */
export function TabLinks({ label, path, params, param = "tab", tabs, current }: TabLinksProps) {
  return (
    <LinkStrip className="mb-5" current={current} label={label}>
      {tabs.map(({ id, name, count }, index) => (
        <li key={id}>
          <NearLink
            aria-current={id === current ? "page" : undefined}
            className="-outline-offset-2! flex h-9 items-center gap-1.5 whitespace-nowrap border-transparent border-b-2 px-3 text-muted hover:text-foreground aria-[current]:border-accent aria-[current]:font-medium aria-[current]:text-foreground"
            href={addressWith(path, params, { [param]: index === 0 ? null : id })}
            scroll={false}
          >
            {name}
            {count === undefined ? null : <span className="font-normal text-muted text-xs tabular-nums">{count}</span>}
          </NearLink>
        </li>
      ))}
    </LinkStrip>
  );
}
