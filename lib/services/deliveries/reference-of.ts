/**
 * The client's own reference as events have it: left out where there is none, so that those who send none get the bodies of the
 * contract (§8).
 */
export function referenceOf({ reference }: { reference: string | null }): { reference?: string } {
  return reference === null ? {} : { reference };
}
