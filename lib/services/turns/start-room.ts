import { processSingleton } from "@/lib/process-singleton";

/** What the queue of this process tells of itself. */
interface StartRoom {
  /** Whether a turn that is accepted now would likely begin here at once. */
  hasRoom(): boolean;
}

/** Whoever runs the queue in this process sets what it says; without one nothing begins here. */
export const startRoom = (): StartRoom => processSingleton("start-room", () => ({ hasRoom: () => false }));
