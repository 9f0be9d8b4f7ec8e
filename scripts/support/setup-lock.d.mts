/** Runs `work` while no other process holds the lock file of that path; waits for the other one, and says what it is doing. */
export function withSetupLock<T>(path: string, work: () => T | Promise<T>, doing?: string): Promise<T>;
