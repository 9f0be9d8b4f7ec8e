import type { UploadPlace } from "@/lib/services/files/discard-upload";
import type { FileStoreKind } from "@/lib/storage/file-store";
import { fileStoreOf } from "@/lib/storage/select-store";

const REMOVED_AT_ONCE = 8;
/** A store that fails so often, with no file removed in between, is away, and each request to one that says nothing takes a minute. */
const MOST_IN_A_ROW = 20;
/** Of one that removes others: files may be out of reach for good, such as in a damaged folder. */
const MOST_FAILURES = 200;

/**
 * Removes the bytes of many files. One that cannot be removed is left alone until the next time, and so is a store that fails on
 * and on: neither keeps any other file.
 */
export class BytesRemoval {
  readonly #failures: { place: UploadPlace; cause: unknown }[] = [];
  readonly #inARow = new Map<FileStoreKind, number>();

  /** @returns those that are gone; of the others some failed, and some were not tried because their store fails */
  async remove<Place extends UploadPlace>(places: readonly Place[]): Promise<Place[]> {
    const gone: Place[] = [];
    for (let start = 0; start < places.length; start += REMOVED_AT_ONCE) {
      const { failedStores } = this;
      const some = places.slice(start, start + REMOVED_AT_ONCE).filter(({ store }) => !failedStores.includes(store));
      await Promise.all(
        some.map(async (place) => {
          try {
            await fileStoreOf(place.store).remove(place.storageKey);
            gone.push(place);
            this.#inARow.set(place.store, 0);
          } catch (cause) {
            this.#failures.push({ place, cause });
            this.#inARow.set(place.store, (this.#inARow.get(place.store) ?? 0) + 1);
          }
        }),
      );
    }
    return gone;
  }

  /** Not to be found again, as little as what is in `failedStores`. */
  get failedKeys(): string[] {
    return this.#failures.map(({ place }) => place.storageKey);
  }

  get failedStores(): FileStoreKind[] {
    const ofStores = Map.groupBy(this.#failures, ({ place }) => place.store);
    return [...ofStores].flatMap(([store, { length }]) =>
      length >= MOST_FAILURES || (this.#inARow.get(store) ?? 0) >= MOST_IN_A_ROW ? [store] : [],
    );
  }

  /** What failed first, if anything did; for the log. */
  get failure(): unknown {
    return this.#failures[0]?.cause;
  }

  /** @throws what failed first, if anything did: AppError SERVICE_UNAVAILABLE where the store is away */
  throwFailure(): void {
    for (const { cause } of this.#failures) throw cause;
  }
}
