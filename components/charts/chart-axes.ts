/** What all charts share: quiet axes, lines across alone, and the size that the server draws at. */
export const AXIS_LOOK = {
  axisLine: false,
  tickLine: false,
  tick: { fill: "var(--muted)", fontSize: 12 },
  tickMargin: 8,
} as const;

export const GRID_LOOK = { stroke: "var(--separator)", vertical: false } as const;

/** In pixels; the height is that of the frame, so that nothing jumps when the browser knows the width. */
export const FIRST_SIZE = { width: 960, height: 224 };
