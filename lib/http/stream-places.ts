import { AppError } from "@/lib/domain/errors";
import { STREAMS_PER_LINKED_SESSION } from "@/lib/domain/limits";
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
  /** Of this process, by the key whose they are, or by that whose links opened them. */
  places: Map<string, Set<Place>>;
  /** How many, by person; whether they may still have them is looked at where the panel answers. */
  ofPeople: Map<string, number>;
  /** How many are open by links, by session. */
  ofLinks: Map<string, number>;
  /** The next look at their keys; undefined while there are none. */
  look: NodeJS.Timeout | undefined;
}

const openStreams = () =>
  processSingleton<OpenStreams>("stream-places", () => ({
    places: new Map(),
    ofPeople: new Map(),
    ofLinks: new Map(),
    look: undefined,
  }));

/**
 * Takes one of the streams that a key may have open in this process at once (STREAMS_PER_KEY). The stream lasts no longer than
 * the key: a call asks for it once, and a stream goes on for as long as the AI works.
 * @throws AppError RATE_LIMITED
 */
export function takeStreamPlace(apiKeyId: string): StreamPlace {
  return takePlace(apiKeyId, apiKeyId, (limit) => `The key has ${limit} streams open, which is as many as it may.`);
}

/**
 * Takes one of the streams that links to a session may have open in this process at once. Links of a key have together as many
 * as the key has for itself, and take none of those: who holds a link is a stranger. As a key's, they last no longer than it.
 * @throws AppError RATE_LIMITED
 */
export function takeLinkedStreamPlace(link: { apiKeyId: string; sessionId: string }): StreamPlace {
  const free = countIn(openStreams().ofLinks, link.sessionId, STREAMS_PER_LINKED_SESSION, (limit) =>
    tooMany(`The session has ${limit} streams open by links, which is as many as it may.`),
  );
  try {
    const place = takePlace(
      `links of ${link.apiKeyId}`,
      link.apiKeyId,
      (limit) => `Links of the key have ${limit} streams open, which is as many as they may.`,
    );
    return {
      occupy: (end) => place.occupy(end),
      free() {
        free();
        place.free();
      },
    };
  } catch (error) {
    free();
    throw error;
  }
}

/**
 * Takes one of the streams that a person may have open in this process at once, whatever their accounts.
 * @throws AppError RATE_LIMITED
 */
export function takePersonStreamPlace(userId: string): StreamPlace {
  const refusal = (limit: number) =>
    new AppError("RATE_LIMITED", `You have ${limit} answers open. Close a tab, then try again.`, {
      retryAfterSeconds: RETRY_SECONDS,
    });
  return { occupy() {}, free: countIn(openStreams().ofPeople, userId, STREAMS_PER_PERSON, refusal) };
}

/** Takes one of a group's places, for as long as that key may make calls. */
function takePlace(group: string, apiKeyId: string, what: (limit: number) => string): StreamPlace {
  const { places } = openStreams();
  const ofGroup = places.get(group) ?? new Set();
  const { STREAMS_PER_KEY: limit } = env();
  if (ofGroup.size >= limit) throw tooMany(what(limit));
  const place = new Place(group, apiKeyId);
  places.set(group, ofGroup.add(place));
  lookLater();
  return place;
}

/** Counts one more of what has that name. @returns what gives it back, once */
function countIn(
  counts: Map<string, number>,
  name: string,
  limit: number,
  refusal: (limit: number) => AppError,
): () => void {
  const open = counts.get(name) ?? 0;
  if (open >= limit) throw refusal(limit);
  counts.set(name, open + 1);
  let isFree = false;
  return () => {
    if (isFree) return;
    isFree = true;
    const rest = (counts.get(name) ?? 0) - 1;
    if (rest > 0) counts.set(name, rest);
    else counts.delete(name);
  };
}

function tooMany(what: string): AppError {
  return new AppError("RATE_LIMITED", `${what} Close one, then try again.`, { retryAfterSeconds: RETRY_SECONDS });
}

class Place implements StreamPlace {
  #end: (() => void) | undefined;

  constructor(
    private readonly group: string,
    readonly apiKeyId: string,
  ) {}

  occupy(end: () => void): void {
    this.#end = end;
  }

  free(): void {
    const streams = openStreams();
    const ofGroup = streams.places.get(this.group);
    if (ofGroup?.delete(this) && ofGroup.size === 0) streams.places.delete(this.group);
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
  const open = [...places.values()].flatMap((ofGroup) => [...ofGroup]);
  try {
    const callable = await findCallableKeys([...new Set(open.map(({ apiKeyId }) => apiKeyId))]);
    for (const place of open) if (!callable.has(place.apiKeyId)) place.end();
  } catch (error) {
    log("warn", "Whether the keys of open streams are still good could not be asked.", {}, error);
  }
}
