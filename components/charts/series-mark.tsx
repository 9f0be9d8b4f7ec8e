/** The colours of the series in their order; further ones begin again. */
const SERIES_COLORS = Array.from({ length: 6 }, (_, index) => `var(--chart-${index + 1})`);

export function seriesColor(index: number): string {
  return SERIES_COLORS[index % SERIES_COLORS.length] ?? "var(--chart-1)";
}

/**
 * What is drawn over the ground of a layer where the system sets the colours, which are too few to tell layers apart by:
 * strokes over a tile of 8 by 8. The first layer has none; further ones begin again, as the colours do.
 */
const HATCHES = ["", "M-2 2l4-4M0 8l8-8M6 10l4-4", "M0 2h8M0 6h8", "M2 0v8M6 0v8", "M1 2h2M5 6h2", "M0 0l8 8M0 8l8-8"];

function hatchOf(index: number): string {
  return HATCHES[index % HATCHES.length] ?? "";
}

/** What a series looks like, before its name. */
export function SeriesMark({ index }: { index: number }) {
  return (
    <svg
      aria-hidden="true"
      className="size-2 rounded-xs forced-colors:size-3 forced-colors:outline forced-colors:outline-[CanvasText]"
      viewBox="0 0 8 8"
    >
      <rect
        className={hatchOf(index) && "forced-colors:fill-[Canvas]"}
        fill={seriesColor(index)}
        height="8"
        width="8"
      />
      <Strokes index={index} />
    </svg>
  );
}

/** The fills of the layers in colours of the system; `idOf` is what `url(#…)` names them by. */
export function SeriesHatches({ count, idOf }: { count: number; idOf: (index: number) => string }) {
  return (
    <defs>
      {Array.from({ length: count }, (_, index) => index)
        .filter(hatchOf)
        .map((index) => (
          <pattern height="8" id={idOf(index)} key={index} patternUnits="userSpaceOnUse" width="8">
            <rect className="fill-[Canvas]" height="8" width="8" />
            <Strokes index={index} />
          </pattern>
        ))}
    </defs>
  );
}

/** The look of a layer that is hatched there: read by app/forced-colors.css. */
export function hatchStyle(index: number, idOf: (index: number) => string): Record<string, string> | undefined {
  return hatchOf(index) ? { "--hatch": `url(#${idOf(index)})` } : undefined;
}

function Strokes({ index }: { index: number }) {
  return (
    <path className="hidden stroke-[1.5] stroke-[CanvasText] forced-colors:inline" d={hatchOf(index)} fill="none" />
  );
}
