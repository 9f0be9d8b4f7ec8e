/** What all charts share: quiet axes, lines across alone, and how far the axes keep the drawing from the edges. */
export const AXIS_LOOK = {
  axisLine: false,
  tickLine: false,
  tick: { fill: "var(--muted)", fontSize: 12 },
  tickMargin: 8,
} as const;

export const GRID_LOOK = { stroke: "var(--separator)", vertical: false } as const;

/** In pixels; above it is room for half of the uppermost figure. */
export const MARGIN = { top: 10, right: 4, bottom: 0, left: 0 } as const;
export const Y_AXIS_WIDTH = 44;
export const X_AXIS_HEIGHT = 30;
/** The least free room between two words below the drawing. */
export const X_TICK_GAP = 32;

/** Of a volume: filled to the line. */
export const AREA_LOOK = { fillOpacity: 0.14, strokeWidth: 1.5 } as const;
/** Of its last step when the time of that is not over. */
export const OPEN_AREA_LOOK = { fillOpacity: 0.05, strokeWidth: 1.5, strokeDasharray: "3 3" } as const;

/** Of bars: their greatest width in pixels, and the free part of a step on either side. */
export const BAR_LOOK = { maxBarSize: 28, gap: 0.24, openOpacity: 0.5 } as const;
