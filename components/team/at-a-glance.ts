/** A team of more members is looked through by a word, and has the form that invites above them. */
export const MOST_AT_A_GLANCE = 20;
