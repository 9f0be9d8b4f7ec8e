/** Whose a mark is: a word that was put somewhere, or the id of a row. */
interface Owner {
  accountId: string;
  /** Null: of the account as a whole. */
  projectId: string | null;
  /** Null: of no end user. */
  endUserId: string | null;
}

/** Who reads an answer. */
export interface Reader {
  account: { accountId: string; projectId: string };
  /** Whom the call named. */
  endUserId?: string | undefined;
}

/** Words that nothing else in the world says, ids, and names of stored files. */
const MARKS = /canary[0-9a-f]{16}|[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}|[0-9a-f]{40}/g;

/** Knows every mark of every tenant, and whether who reads one may. */
export class LeakWatch {
  readonly #owners = new Map<string, Owner>();

  add(mark: string, owner: Owner): void {
    this.#owners.set(mark, owner);
  }

  get size(): number {
    return this.#owners.size;
  }

  /** @param sent what the caller sent: that it comes back tells nothing */
  foreignMarks({ account, endUserId }: Reader, text: string, sent: string): string[] {
    const { accountId, projectId } = account;
    return this.#marksIn(text).filter((mark) => {
      const owner = this.#owners.get(mark);
      if (!owner || sent.includes(mark)) return false;
      const isOwn = owner.accountId === accountId && (owner.projectId ?? projectId) === projectId;
      const isOfAnother = owner.endUserId !== null && endUserId !== undefined && owner.endUserId !== endUserId;
      return !isOwn || isOfAnother;
    });
  }

  /** The projects and end users whose words a text holds, e.g. what the model was shown. */
  placesIn(text: string): string[] {
    const owners = this.#marksIn(text).flatMap((mark) => this.#owners.get(mark) ?? []);
    const projects = new Set(owners.map(({ projectId, accountId }) => projectId ?? accountId));
    const endUsers = new Set(owners.flatMap(({ endUserId }) => endUserId ?? []));
    return projects.size > 1 || endUsers.size > 1 ? [...projects, ...endUsers] : [];
  }

  #marksIn(text: string): string[] {
    return [...new Set(text.match(MARKS))];
  }
}
