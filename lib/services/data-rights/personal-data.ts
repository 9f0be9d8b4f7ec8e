import { DATA_OF_ACCOUNTS } from "@/lib/services/data-rights/personal-data-of-accounts";
import { DATA_OF_BOOKS } from "@/lib/services/data-rights/personal-data-of-books";
import { DATA_OF_CALLS } from "@/lib/services/data-rights/personal-data-of-calls";
import { DATA_OF_SESSIONS } from "@/lib/services/data-rights/personal-data-of-sessions";
import type { PersonalTable } from "@/lib/services/data-rights/personal-table";

/**
 * The one list of what is kept of people, and how it goes. Exporting and erasing walk it; a test holds it against the
 * schema, so that a new column of text that is not in it fails. In the order in which rows are erased: what leads to other
 * rows goes after them.
 */
export const PERSONAL_DATA: readonly PersonalTable[] = [
  ...DATA_OF_CALLS,
  ...DATA_OF_SESSIONS,
  ...DATA_OF_BOOKS,
  ...DATA_OF_ACCOUNTS,
];
