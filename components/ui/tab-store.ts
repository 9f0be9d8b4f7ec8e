/** Keeps a text for the next page of this tab; a browser that keeps nothing for pages goes without. */
export function keepForTab(key: string, text: string): void {
  try {
    sessionStorage.setItem(key, text);
  } catch {}
}

/** What was kept, which is then gone. */
export function takeFromTab(key: string): string | null {
  try {
    const text = sessionStorage.getItem(key);
    sessionStorage.removeItem(key);
    return text;
  } catch {
    return null;
  }
}
