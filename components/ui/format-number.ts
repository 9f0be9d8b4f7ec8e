/** One locale for server and browser, so that both write the same text. */
const LOCALE = "en-US";
const plain = new Intl.NumberFormat(LOCALE);
const compact = new Intl.NumberFormat(LOCALE, { notation: "compact", maximumFractionDigits: 1 });
/** By currency: making one costs many times what it is used for. */
const money = new Map<string, Intl.NumberFormat>();
const SIZE_UNITS = ["bytes", "KB", "MB", "GB", "TB"];

/** "1,204" */
export function formatNumber(value: number): string {
  return plain.format(value);
}

/** "1.2M", for axes and tiles. */
export function formatCompact(value: number): string {
  return compact.format(value);
}

/** "1 token", "1,204 tokens" */
export function formatCount(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** "1 credit", "1,204 credits" */
export function formatCredits(credits: number): string {
  return formatCount(credits, "credit");
}

/**
 * "$12.04"
 * @param currency ISO 4217
 */
export function formatMoney(amount: number, currency: string): string {
  let format = money.get(currency);
  if (!format) {
    format = new Intl.NumberFormat(LOCALE, { style: "currency", currency });
    money.set(currency, format);
  }
  return format.format(amount);
}

/** "512 bytes", "1.5 MB", in steps of 1024 as the limits count. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  // What would be written as 1,024 of a unit is 1 of the next.
  while (Math.round(value * 10) / 10 >= 1024 && unit < SIZE_UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? formatNumber(value) : formatNumber(Math.round(value * 10) / 10)} ${SIZE_UNITS[unit]}`;
}

/** "84 ms", "1.4 s", "2 min 5 s" */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${Math.round(milliseconds / 100) / 10} s`;
  const seconds = Math.round(milliseconds / 1_000);
  const rest = seconds % 60;
  return rest === 0 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 60)} min ${rest} s`;
}

/**
 * "42%"; what is there but little is "<1%", and nothing but all is "100%".
 * @param share from 0 to 1
 */
export function formatPercent(share: number): string {
  if (share > 0 && share < 0.01) return "<1%";
  if (share < 1 && share > 0.99) return "99%";
  return `${Math.round(share * 100)}%`;
}
