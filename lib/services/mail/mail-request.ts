/**
 * What somebody unknown asks for by an address. Who has the address is looked up when the mail is made, in the background:
 * asking does the same work, and takes the same time, for every address.
 */
export type MailRequest =
  | { ask: "sign-up"; email: string; companyName: string; passwordHash: string; ip: string | null }
  | { ask: "confirm-email"; email: string }
  | { ask: "reset-password"; email: string; ip: string | null };
