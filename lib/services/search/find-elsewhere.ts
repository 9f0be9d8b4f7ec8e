import { type Found, findById } from "@/lib/services/search/find-by-id";

/** Somebody who has more projects than this is not made to wait for all of them. */
const MOST_PROJECTS = 100;

/** A thing of another project than the one that was looked in. */
export interface FoundElsewhere extends Found {
  projectId: string;
}

/**
 * Looks for what an id names in one project after the other, and gives the first that has it.
 * @param projectIds the reader's own: whatever is found in them is shown to them
 */
export async function findElsewhere(projectIds: string[], text: string): Promise<FoundElsewhere | null> {
  for (const projectId of projectIds.slice(0, MOST_PROJECTS)) {
    const found = await findById({ projectId }, text);
    if (found) return { ...found, projectId };
  }
  return null;
}
