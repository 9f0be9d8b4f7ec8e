// Sound in pieces, as its packets come. Plain JavaScript, run from its source by the reader of sound.
import { loudnessOf } from "./loudness.mjs";

/** A piece ends in a pause of its last seconds rather than within a word. */
const LOOK_BACK_SECONDS = 30;
/** So much at least stays for the next piece: providers refuse what is shorter than a word. */
const LEFT_SECONDS = 5;
/** Shorter than between most words, longer than within one. */
const PAUSE_SECONDS = 0.3;

/**
 * Packets in groups, each within the bounds, with where the next one begins.
 * @param packets each with `data`, `timestamp` and `duration` (seconds)
 */
export async function* inPieces(packets, codec, { maxBytes, maxSeconds }) {
  let piece = [];
  let bytes = 0;
  for await (const packet of packets) {
    const seconds = packet.timestamp + packet.duration - (piece[0] ?? packet).timestamp;
    if (piece.length > 0 && (bytes + packet.data.byteLength > maxBytes || seconds > maxSeconds)) {
      const end = quietEnd(piece, codec);
      const rest = piece.slice(end);
      yield { packets: piece.slice(0, end), until: (rest[0] ?? packet).timestamp };
      piece = rest;
      bytes = rest.reduce((sum, { data }) => sum + data.byteLength, 0);
    }
    piece.push(packet);
    bytes += packet.data.byteLength;
  }
  const last = piece.at(-1);
  // Some containers do not say how long their last packet is.
  if (last) yield { packets: piece, until: last.timestamp + Math.max(last.duration, 0.001) };
}

/** How many of the packets come before the middle of the quietest moment near their end, of equal ones of the last. */
function quietEnd(packets, codec) {
  const start = packets[0].timestamp;
  const stop = packets.at(-1).timestamp;
  const latest = stop - Math.min(LEFT_SECONDS, (stop - start) / 4);
  const earliest = Math.max(start + (stop - start) / 2, stop - LOOK_BACK_SECONDS);
  const begin = packets.findIndex(({ timestamp }) => timestamp >= earliest);
  const levels = packets
    .slice(begin)
    .filter(({ timestamp }) => timestamp <= latest)
    .map(({ data }) => loudnessOf(data, codec));
  const window = Math.min(levels.length, Math.max(1, Math.round(PAUSE_SECONDS / Math.max(packets[0].duration, 0.001))));
  let sum = levels.slice(0, window).reduce((total, level) => total + level, 0);
  let quietest = { sum, end: window };
  for (let end = window + 1; end <= levels.length; end++) {
    sum += levels[end - 1] - levels[end - 1 - window];
    if (sum <= quietest.sum) quietest = { sum, end };
  }
  return Math.max(1, begin + quietest.end - Math.floor(window / 2));
}

/** What comes before the first packet that cannot be read: a file that is cut off ends within one. Without any, it is damaged. */
export async function* untilBroken(packets) {
  let count = 0;
  try {
    for await (const packet of packets) {
      count += 1;
      yield packet;
    }
  } catch (error) {
    if (count === 0) throw error;
  }
}
