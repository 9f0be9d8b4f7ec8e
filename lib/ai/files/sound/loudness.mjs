// How much is going on in a packet of sound, without decoding it. Plain JavaScript, run from its source by the reader of sound.

/** A measure that compares packets of one file: what is silent packs into little. */
export function loudnessOf(data, codec) {
  if (codec === "pcm-s16") return meanLevel(data, 2);
  if (codec === "pcm-u8") return meanLevel(data, 1);
  if (codec === "mp3") return mp3Bits(data) ?? data.byteLength;
  return data.byteLength;
}

/** Of samples without compression, of which each packet takes the same. A sixteenth of them says enough. */
function meanLevel(data, sampleBytes) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const step = sampleBytes * 16;
  let sum = 0;
  let count = 0;
  for (let at = 0; at + sampleBytes <= data.byteLength; at += step) {
    sum += Math.abs(sampleBytes === 1 ? view.getUint8(at) - 128 : view.getInt16(at, true));
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}

/**
 * Of a frame of an MP3, whose size is the same throughout at a constant rate: the bits that its first granule needs
 * (ISO/IEC 11172-3 §2.4.1.7), whatever fills the frame up.
 */
function mp3Bits(data) {
  if (data.byteLength < 12) return undefined;
  const isVersion1 = (data[1] & 0x18) === 0x18;
  const hasChecksum = (data[1] & 1) === 0;
  const isMono = data[3] >> 6 === 3;
  const skipped = isVersion1 ? 9 + (isMono ? 5 + 4 : 3 + 8) : 8 + (isMono ? 1 : 2);
  const bit = (hasChecksum ? 6 : 4) * 8 + skipped;
  const at = bit >> 3;
  const three = (data[at] << 16) | (data[at + 1] << 8) | data[at + 2];
  return (three >> (12 - (bit & 7))) & 0xfff;
}
