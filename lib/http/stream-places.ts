import { AppError } from "@/lib/domain/errors";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { processSingleton } from "@/lib/process-singleton";
import { findCallableKeys } from "@/lib/services/api-keys/find-callable-keys";

const RETRY_SECONDS = 5;
/** After so long a stream ends whose key may make no calls any more. */
const LOOK_SECONDS = 5;

/** A person has a tab for each, which no browser has so many of. */
const STREAMS_PER_PERSON = 100;

/** One of the streams that a key, or a person in the panel, may have open. */
export interface StreamPlace {
  /** Says how to end the stream, which happens once its key may make no calls any more. */
  occupy(end: () => void): void;
  /** Gives the place back; once is enough, and more does nothing. */
  free(): void;
}

interface OpenStreams {
  /** Of this process, by key. */
  places: Map<string, Set<Place>>;
  /** How many, by person; whether they may still have them is looked at where the panel answers. */
  ofPeople: Map<string, number>;
  /** The next look at their keys; undefined while there are none. */
  look: NodeJS.Timeout | undefined;
}

const openStreams = () =>
  processSingleton<OpenStreams>("stream-places", () => ({ places: new Map(), ofPeople: new Map(), look: undefined }));

/**
 * Takes one of the streams that a key may have open in this process at once (STREAMS_PER_KEY). The stream lasts no longer than
 * the key: a call asks for it once, and a stream goes on for as long as the AI works.
 * @throws AppError RATE_LIMITED
 */
export function takeStreamPlace(apiKeyId: string): StreamPlace {
  const { places } = openStreams();
  const ofKey = places.get(apiKeyId) ?? new Set();
  const { STREAMS_PER_KEY: limit } = env();
  if (ofKey.size >= limit) {
    throw new AppError(
      "RATE_LIMITED",
      `The key has ${limit} streams open, which is as many as it may. Close one, then try again.`,
      { retryAfterSeconds: RETRY_SECONDS },
    );
  }
  const place = new Place(apiKeyId);
  places.set(apiKeyId, ofKey.add(place));
  lookLater();
  return place;
}

/**
 * Takes one of the streams that a person may have open in this process at once, whatever their accounts.
 * @throws AppError RATE_LIMITED
 */
export function takePersonStreamPlace(userId: string): StreamPlace {
  const { ofPeople } = openStreams();
  const open = ofPeople.get(userId) ?? 0;
  if (open >= STREAMS_PER_PERSON) {
    throw new AppError("RATE_LIMITED", `You have ${STREAMS_PER_PERSON} answers open. Close a tab, then try again.`, {
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
  ofPeople.set(userId, open + 1);
  let isFree = false;
  return {
    occupy() {},
    free() {
      if (isFree) return;
      isFree = true;
      const rest = (ofPeople.get(userId) ?? 0) - 1;
      if (rest > 0) ofPeople.set(userId, rest);
      else ofPeople.delete(userId);
    },
  };
}

class Place implements StreamPlace {
  #end: (() => void) | undefined;

  constructor(private readonly apiKeyId: string) {}

  occupy(end: () => void): void {
    this.#end = end;
  }

  free(): void {
    const streams = openStreams();
    const ofKey = streams.places.get(this.apiKeyId);
    if (ofKey?.delete(this) && ofKey.size === 0) streams.places.delete(this.apiKeyId);
    if (streams.places.size > 0) return;
    clearTimeout(streams.look);
    streams.look = undefined;
  }

  /** One that is not occupied yet is ended by the next look. */
  end(): void {
    this.#end?.();
  }
}

/** One look for all streams of the process; it keeps no process alive. */
function lookLater(): void {
  const streams = openStreams();
  if (streams.look) return;
  const look = setTimeout(async () => {
    await endRefused(streams.places);
    // All may have ended meanwhile, and others begun.
    if (streams.look !== look) return;
    streams.look = undefined;
    lookLater();
  }, LOOK_SECONDS * 1_000).unref();
  streams.look = look;
}

/** When nobody can tell, such as without a database, all go on until the next look. */
async function endRefused(places: OpenStreams["places"]): Promise<void> {
  const asked = [...places.keys()];
  try {
    const callable = await findCallableKeys(asked);
    for (const apiKeyId of asked) {
      if (!callable.has(apiKeyId)) for (const place of places.get(apiKeyId) ?? []) place.end();
    }
  } catch (error) {
    log("warn", "Whether the keys of open streams are still good could not be asked.", {}, error);
  }
}
