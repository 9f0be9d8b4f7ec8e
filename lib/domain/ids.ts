import { randomFillSync } from "node:crypto";

/** Prefix of each kind of id (contract §1). */
export const ID_PREFIXES = {
  account: "acc",
  accountRequest: "arq",
  alert: "alr",
  apiKey: "key",
  audit: "aud",
  call: "log",
  chatMessage: "msc",
  creditRequest: "crq",
  dataRequest: "drq",
  delivery: "dlv",
  file: "fil",
  invitation: "inv",
  knowledgeFile: "knw",
  ledger: "led",
  mail: "mal",
  outbox: "evt",
  project: "prj",
  request: "req",
  session: "ses",
  template: "tpl",
  templateExample: "tex",
  turn: "trn",
  user: "usr",
  userSession: "uss",
  verification: "ver",
  webhook: "whk",
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

/**
 * A new id: prefixed, unguessable, sortable by the time of its making. In TypeID form: a UUID of version 7 in Crockford's
 * base32. Ids from one copy of this module rise strictly, also within a millisecond and when the clock is set back.
 * @param nowMs since the epoch
 */
export function newId(kind: IdKind, nowMs: number = Date.now()): string {
  tick(nowMs);
  const start = takeRandomBytes();
  const versioned = VERSION_7 | counter;
  let text = `${ID_PREFIXES[kind]}_${timeText}`;
  text += digit(versioned >> 11) + digit(versioned >> 6) + digit(versioned >> 1);
  text += digit(((versioned << 4) & 0b10000) | VARIANT | (randomByte(start) & 0b11));
  for (let index = 1; index < RANDOM_BYTES_PER_ID; index++) text += digit(randomByte(start + index));
  return text;
}

/** Whether a text has the form of an id of that kind; saves a look-up for what cannot exist. */
export function isId(kind: IdKind, text: string): boolean {
  const prefix = ID_PREFIXES[kind];
  return text.startsWith(`${prefix}_`) && SUFFIX.test(text.slice(prefix.length + 1));
}

/*
 * 26 digits are 130 bits: 2 zeros and 48 of time (10 digits); 4 of version and 12 of counter, then 2 of variant and 2 random
 * ones (4 digits, the last of them shared); 60 random ones (12 digits).
 */
const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const SUFFIX = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;
const TIME_DIGITS = 10;
const VERSION_7 = 0x7000;
const VARIANT = 0b1000;
/** The counter begins somewhere in its lower half: above is room for more ids of the same millisecond. */
const COUNTER_START_MASK = 0x7ff;
const MAX_COUNTER = 0xfff;
/** One for the two bits beside the variant, and one for each random digit. */
const RANDOM_BYTES_PER_ID = 13;

let timeMs = -1;
let timeText = "";
let counter = 0;
/** Asking for random bytes costs more than using them: many ids' worth at once. */
const randomPool = new Uint8Array(RANDOM_BYTES_PER_ID * 512);
let poolPosition = randomPool.length;

/** The next pair of time and counter. When a millisecond has no more, the ids run ahead of the clock (RFC 9562 §6.2). */
function tick(nowMs: number): void {
  if (nowMs <= timeMs && counter < MAX_COUNTER) {
    counter += 1;
    return;
  }
  timeMs = Math.max(nowMs, timeMs + 1);
  const start = takeRandomBytes();
  counter = ((randomByte(start) << 8) | randomByte(start + 1)) & COUNTER_START_MASK;
  timeText = "";
  for (let rest = timeMs, index = 0; index < TIME_DIGITS; index++, rest = Math.floor(rest / 32)) {
    timeText = digit(rest % 32) + timeText;
  }
}

function takeRandomBytes(): number {
  if (poolPosition === randomPool.length) {
    randomFillSync(randomPool);
    poolPosition = 0;
  }
  const start = poolPosition;
  poolPosition += RANDOM_BYTES_PER_ID;
  return start;
}

function randomByte(position: number): number {
  return randomPool[position] ?? 0;
}

/** The digit of a number's lowest five bits. */
function digit(value: number): string {
  return DIGITS.charAt(value & 31);
}
