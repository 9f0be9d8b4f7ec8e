import type { ReactNode } from "react";
import { type AddressParams, addressWith } from "@/components/ui/address";
import { Pagination } from "@/components/ui/pagination";
import { SidePanel } from "@/components/ui/side-panel";
import { VersionTable } from "@/components/ui/version-table";
import type { Page, PageRequest } from "@/lib/domain/pagination";

interface Version {
  version: number;
  createdAt: string;
}

/** What the comparison of an opened version needs beside the texts. */
export interface OpenedVersion<V> {
  shown: V;
  /** The one before it; null for the first that is kept. */
  previous: V | null;
  with: "previous" | "current";
  hrefWith: (other: "previous" | "current") => string;
}

interface VersionBrowserProps<V extends Version> {
  /** The page's address and what is in its query: `offset`, `version`, `with`. */
  path: string;
  query: AddressParams;
  /** The number of the version that holds now. */
  current: number;
  /** Another that calls use, where one was chosen: it is kept though others of its age are gone. */
  live?: number;
  /** Newest first. */
  list: (page: PageRequest) => Promise<Page<V>>;
  textOf: (version: V) => string;
  compare: (opened: OpenedVersion<V>) => ReactNode;
  /** What stands around it; nothing does when there are no versions. */
  frame?: (versions: ReactNode) => ReactNode;
}

const PAGE_SIZE = 20;
const BEGINNING_CHARACTERS = 200;

/** What a thing said over time, part by part; the one that the address names is open beside it. */
export async function VersionBrowser<V extends Version>(props: VersionBrowserProps<V>) {
  const { path, query, current, live, list, textOf, compare, frame = (versions) => versions } = props;
  const opened = wholeNumberOf(query.version);
  const isThere = opened !== null && opened >= 1 && opened <= current;
  const [page, pair] = await Promise.all([
    list({ limit: PAGE_SIZE, offset: wholeNumberOf(query.offset) ?? 0 }),
    // Versions that are kept have no gaps, so the place of one is known; after it comes the one before it.
    isThere ? list({ limit: 2, offset: current - opened }) : null,
  ]);
  const { total } = page.pagination;
  if (total === 0) return null;
  const [found, previous] = pair?.data ?? [];
  const kept = found === undefined && isThere ? (await list({ limit: 1, offset: total - 1 })).data[0] : found;
  const shown = kept?.version === opened ? kept : undefined;
  return frame(
    <>
      <VersionTable
        current={current}
        hrefOf={({ version }) => addressWith(path, query, { version: String(version) })}
        live={live}
        selected={shown?.version}
        versions={page.data.map((version) => ({
          version: version.version,
          createdAt: version.createdAt,
          beginning: textOf(version).slice(0, BEGINNING_CHARACTERS),
        }))}
      />
      {total > PAGE_SIZE ? <Pagination pagination={page.pagination} params={query} path={path} /> : null}
      {shown ? (
        <SidePanel
          closeHref={addressWith(path, query, { version: null, with: null })}
          title={`Version ${shown.version}`}
        >
          {compare({
            shown,
            previous: previous ?? null,
            with: query.with === "current" ? "current" : "previous",
            hrefWith: (other) => addressWith(path, query, { with: other === "previous" ? null : other }),
          })}
        </SidePanel>
      ) : null}
    </>,
  );
}

function wholeNumberOf(value: string | string[] | undefined): number | null {
  const number = Number(value);
  return typeof value === "string" && Number.isSafeInteger(number) && number >= 0 && number < 2 ** 31 ? number : null;
}
