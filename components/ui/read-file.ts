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

/**
 * Whether a chosen file is as it was chosen, as far as its browser tells. Of one that was saved anew since, Chromium gives nothing;
 * Firefox gives what it holds now, and yet sends it as one of its former size: the service would wait for bytes that never come,
 * or take those that are too many for another call.
 */
export async function isAsChosen(file: Blob): Promise<boolean> {
  try {
    let length = 0;
    const reader = file.stream().getReader();
    for (let part = await reader.read(); !part.done; part = await reader.read()) length += part.value.byteLength;
    return length === file.size;
  } catch {
    return false;
  }
}
