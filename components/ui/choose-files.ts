/** Puts files into a field as if they had been chosen there. Of many, a field for one takes the first, as where they are dropped on it. */
export function chooseFiles(field: HTMLInputElement, files: FileList): void {
  const [first] = files;
  if (!first) return;
  const one = new DataTransfer();
  one.items.add(first);
  field.files = field.multiple ? files : one.files;
  field.dispatchEvent(new Event("change", { bubbles: true }));
}
