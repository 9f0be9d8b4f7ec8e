/** Who works in a page of the panel, and on what. */
export interface Place {
  userId: string;
  /** Null: staff and whoever belongs to no account work on none. */
  projectId: string | null;
}
