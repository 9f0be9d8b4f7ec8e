// Reads a file of sound or a video, in a thread that may be ended at any moment (see host-worker.mjs): how long it is, or its
// sound in pieces that providers take. Nothing is decoded: the recorder's packets go into new files as they are. Plain
// JavaScript, run from its source: bundlers would not know that it is a file of its own.
import { parentPort, workerData } from "node:worker_threads";
import { askRange, askServer } from "../reader/ask-server.mjs";
import { isMissingPart } from "../reader/missing-part.mjs";
import { inPieces, untilBroken } from "./sound-pieces.mjs";

/** Timestamps are sums of fractions: what was written down of one finds it again. */
const TIMESTAMP_MARGIN_SECONDS = 0.0005;

/** Reads what it needs of the file, wherever that stands, so that a video's pictures stay where they are. */
function openInput({ ALL_FORMATS, CustomSource, HLS, Input }, size) {
  const source = new CustomSource({
    getSize: () => size,
    read: askRange,
    prefetchProfile: "network",
  });
  // A list of other files' addresses is no file of sound.
  return new Input({ source, formats: ALL_FORMATS.filter((format) => format !== HLS) });
}

async function look(library, input) {
  // A container that names nothing in it is cut off or damaged.
  if ((await input.getTracks()).length === 0) throw new Error("no tracks");
  const track = await input.getPrimaryAudioTrack();
  const hasPictures = (await input.getPrimaryVideoTrack()) !== null;
  // Live recordings do not say it: then the file is looked through.
  const end = track && ((await input.getDurationFromMetadata([track])) ?? (await endByReading(library, track)));
  const seconds = end && end - (await startOf(track));
  const isKnown = track !== null && (await track.getCodec()) !== null;
  return { hasSound: track !== null, hasPictures, isKnown, ...(seconds && { seconds }) };
}

async function endByReading({ EncodedPacketSink }, track) {
  try {
    return await track.computeDuration();
  } catch {
    // Some readers look for the end of a file that is cut off in vain.
    let end = 0;
    const packets = new EncodedPacketSink(track).packets(undefined, undefined, { metadataOnly: true });
    for await (const { timestamp, duration } of untilBroken(packets)) end = timestamp + duration;
    return end;
  }
}

/** Cameras and broadcasts count on from what came before. */
async function startOf(track) {
  return Math.max(0, await track.getFirstTimestamp());
}

async function cut(library, input, { fromSeconds, maxBytes, maxSeconds }) {
  const track = await input.getPrimaryAudioTrack();
  const codec = await track.getCodec();
  const decoderConfig = await track.getDecoderConfig();
  const sink = new library.EncodedPacketSink(track);
  // Before the packets, which are read ahead from the moment they are asked for: some readers lose their place by two at once.
  const start = await startOf(track);
  const packets = untilBroken(await packetsFrom(sink, fromSeconds));
  for await (const { packets: group, until } of inPieces(packets, codec, { maxBytes, maxSeconds })) {
    const last = group.at(-1);
    const seconds = last.timestamp + last.duration - group[0].timestamp;
    const bytes = await pack(library, group, codec, decoderConfig);
    const piece = { bytes, format: formatOf(codec), seconds, until, heardSeconds: until - start };
    await askServer({ piece }, { isPause: true });
  }
  return {};
}

/** Those at and after a moment, which is where one begins, or where the last one ends. */
async function packetsFrom(sink, seconds) {
  if (seconds === 0) return sink.packets();
  const found = await sink.getPacket(seconds + TIMESTAMP_MARGIN_SECONDS);
  const isBefore = found && found.timestamp < seconds - TIMESTAMP_MARGIN_SECONDS;
  const first = isBefore ? await sink.getNextPacket(found) : found;
  return first ? sink.packets(first) : [];
}

/** A file of their own, which begins at zero. */
async function pack(library, packets, codec, decoderConfig) {
  const target = new library.BufferTarget();
  const output = new library.Output({ format: outputFormat(library, codec), target });
  const source = new library.EncodedAudioPacketSource(codec);
  output.addAudioTrack(source);
  await output.start();
  const base = packets[0].timestamp;
  for (const packet of packets) {
    await source.add(packet.clone({ timestamp: packet.timestamp - base }), { decoderConfig });
  }
  await output.finalize();
  return new Uint8Array(target.buffer);
}

const WAVE_CODECS = ["pcm-s16", "pcm-s24", "pcm-s32", "pcm-f32", "pcm-f64", "pcm-u8", "ulaw", "alaw"];
const FORMATS = {
  mp3: "mp3",
  opus: "ogg",
  vorbis: "ogg",
  flac: "flac",
  ...Object.fromEntries(WAVE_CODECS.map((codec) => [codec, "wav"])),
};

/** The container that providers know, for what is packed in this way. */
function formatOf(codec) {
  return FORMATS[codec] ?? "m4a";
}

function outputFormat(library, codec) {
  switch (formatOf(codec)) {
    case "mp3":
      return new library.Mp3OutputFormat();
    case "ogg":
      return new library.OggOutputFormat();
    case "flac":
      return new library.FlacOutputFormat();
    case "wav":
      return new library.WavOutputFormat();
    default:
      return new library.Mp4OutputFormat();
  }
}

try {
  const { size, isLook, ...bounds } = workerData;
  const library = await import("mediabunny");
  const input = openInput(library, size);
  parentPort.postMessage({ result: isLook ? await look(library, input) : await cut(library, input, bounds) });
} catch (error) {
  if (isMissingPart(error)) throw error;
  parentPort.postMessage({ failure: "broken", detail: String(error) });
}
