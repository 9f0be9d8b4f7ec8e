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
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  field.style.opacity = "0";
  document.body.append(field);
  field.select();
  const hasCopied = document.execCommand("copy");
  field.remove();
  return hasCopied;
}
