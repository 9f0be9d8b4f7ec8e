import { LONGEST_PLAYGROUND_KEY_SECONDS, PLAYGROUND_KEY } from "@/lib/domain/playground-key";

/** Of a key `k`, in use or not: whether the playground made it, which makes one for each hour of each reader. False where there is none. */
export const IS_PLAYGROUND = `coalesce(k.name = '${PLAYGROUND_KEY.name}'
  AND k.expires_at < k.created_at + interval '${LONGEST_PLAYGROUND_KEY_SECONDS} seconds', false)`;
