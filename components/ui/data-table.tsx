import type { ReactNode } from "react";
import { NearLink } from "@/components/ui/near-link";
import { RowKeys } from "@/components/ui/row-keys";

export interface TableColumn<Row> {
  id: string;
  /** The column's heading; on phones it stands before each value. */
  name: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand right, in figures of one width. */
  isNumeric?: boolean;
  /** Only where there is room for it: from this width of the window on. Detail pages show the rest. */
  from?: "lg" | "xl";
  /** On phones too, where each value has a line of its own: what `from` leaves out there is then there. */
  isOnPhones?: boolean;
  /** Takes the room that the others leave, and is cut off where they leave little: one column of a table at most. */
  isElastic?: boolean;
  /** Is not cut off where all columns have room: what it holds is short, and cut it says nothing. */
  isWhole?: boolean;
  /** Tailwind width, e.g. "w-32"; without one the content decides. */
  width?: string;
}

interface DataTableProps<Row> {
  /** What the table lists, for screen readers: "API keys". */
  label: string;
  columns: TableColumn<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** Where a row leads: the whole row becomes one link. */
  rowHref?: (row: Row) => string;
  /** What that link is called for screen readers; the key, when nothing is better. */
  rowName?: (row: Row) => string;
  /** The row whose detail is open beside the table. */
  selectedKey?: string;
  /** Shown in place of the table when there are no rows: an EmptyState. */
  empty: ReactNode;
}

const FROM_CLASSES = { lg: "max-lg:hidden!", xl: "max-xl:hidden!" };
const FROM_CLASSES_BUT_PHONES = { lg: "sm:max-lg:hidden!", xl: "sm:max-xl:hidden!" };

/**
 * Rows of 40 px under a head that stays; one block per row on phones. A link of a row takes the focus; the arrow keys
 * move between rows. Buttons inside of cells have to stand above the row's link: `relative z-1`.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, rowHref, rowName = rowKey, selectedKey, empty } = props;
  if (rows.length === 0) return empty;
  return (
    <RowKeys>
      <table className="data-table">
        <caption className="sr-only">{label}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th className={lookOf(column, column.width)} key={column.id} scope="col">
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = rowKey(row);
            return (
              <tr aria-current={key === selectedKey ? "true" : undefined} key={key}>
                {columns.map((column, index) => (
                  <Cell column={column} key={column.id} row={row}>
                    {index === 0 && rowHref ? <RowLink href={rowHref(row)} name={rowName(row)} /> : null}
                  </Cell>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </RowKeys>
  );
}

function Cell<Row>({ column, row, children }: { column: TableColumn<Row>; row: Row; children: ReactNode }) {
  return (
    <td className={lookOf(column)} data-name={column.name}>
      {children}
      <span>{column.cell(row)}</span>
    </td>
  );
}

/** Lies over the row rather than around its text, so that cells may hold buttons (data-table.css). */
function RowLink({ href, name }: { href: string; name: string }) {
  return (
    <NearLink
      aria-label={name}
      data-row-link=""
      href={href}
      // A row that leads to a place of a page leads there.
      scroll={href.includes("#")}
    />
  );
}

/** What a column's cells have beside the table's own looks (data-table.css). */
function lookOf<Row>(
  { isNumeric, from, isOnPhones, isElastic, isWhole }: TableColumn<Row>,
  width?: string,
): string | undefined {
  const hidden = isOnPhones ? FROM_CLASSES_BUT_PHONES : FROM_CLASSES;
  const classes = [
    isNumeric && "text-right tabular-nums",
    from && hidden[from],
    isElastic && "data-table-elastic",
    isWhole && "lg:max-w-none!",
    width,
  ].filter(Boolean);
  return classes.length > 0 ? classes.join(" ") : undefined;
}
