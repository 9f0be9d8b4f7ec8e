/**
 * Puts a text on the reader's clipboard.
 * @returns whether it is there; when not, the reader has to select and copy by hand
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** The clipboard API is there on HTTPS and localhost alone; a service on a private network may have neither. */
function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  field.style.opacity = "0";
  // A dialog takes the focus back from what lies outside of it: nothing would be selected, and yet "copied" said.
  (focused?.closest("[role=dialog], [role=alertdialog]") ?? document.body).append(field);
  field.select();
  const hasCopied = document.activeElement === field && document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return hasCopied;
}
