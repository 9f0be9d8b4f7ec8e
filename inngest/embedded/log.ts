/** Where the runner's messages go. Each field is one value, so that the line it becomes a part of can be searched by it. */
export type Log = (
  level: "debug" | "info" | "warn" | "error",
  message: string,
  fields?: Record<string, string | number | null>,
) => void;
