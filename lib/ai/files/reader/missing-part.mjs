// Plain JavaScript, run from its source by readers.

/** Whether an error says that the installation lacks something, which is no document's fault. */
export function isMissingPart(error) {
  return /MODULE_NOT_FOUND|ENOENT/.test(error?.code);
}
