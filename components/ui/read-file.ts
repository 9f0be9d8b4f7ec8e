/** Why the browser gives nothing of a chosen file, after "It cannot be read". */
export const UNREADABLE = "it was changed, moved or removed after it was chosen, or is a folder. Choose it again.";

/** The bytes of a chosen file; null: the browser cannot read it, which it finds out no sooner than here. */
export async function readFile(file: Blob): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    return null;
  }
}
