/**
 * `Content-Disposition` of a download (RFC 6266): always an attachment, with an ASCII name for old clients and the
 * full name for all others. Any text is safe here: nothing of it can end the header or start another parameter.
 */
export function attachmentDisposition(name: string): string {
  // Half a surrogate pair cannot be encoded.
  const wellFormed = name.replace(/\p{Surrogate}/gu, "\uFFFD");
  return `attachment; filename="${asciiName(wellFormed)}"; filename*=UTF-8''${extendedValue(wellFormed)}`;
}

/** `%` goes too: some clients decode it inside the plain form. */
function asciiName(name: string): string {
  return name.replace(/[^\x20-\x7e]|["\\%/]/gu, "_");
}

/** RFC 8187: everything but attr-char is percent-encoded. */
function extendedValue(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
