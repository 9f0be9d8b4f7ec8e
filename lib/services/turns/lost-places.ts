/** More than a session's log gets within the half second that a crash of the database can take (docs/decisions/0003). */
const LOST_AT_MOST = 1_000;

/**
 * How many places of a session's log are left free behind what is there, for events that readers have and a crash took: ids
 * of the stream only grow (contract §5), and what a reader must hear comes above all that it heard.
 * @param workers of the turn so far, each of whose last events may be gone
 */
export function lostPlaces(workers: number): number {
  return workers * LOST_AT_MOST;
}
