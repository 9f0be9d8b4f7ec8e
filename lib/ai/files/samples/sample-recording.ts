import {
  AdtsOutputFormat,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  MkvOutputFormat,
  MovOutputFormat,
  Mp4OutputFormat,
  MpegTsOutputFormat,
  Output,
} from "mediabunny";

/** Recordings in containers that hold packets, for tests: whole in their boxes, with texts in place of what is packed. */

export type RecordingFormat = "mp4" | "mov" | "mkv" | "ts" | "aac";

export interface SampleRecording {
  /** What is said from which second on; the test model hears the first of a piece. */
  said: Record<number, string>;
  /** Of which each is a packet. */
  seconds: number;
  /** Beside the sound; not in a file of bare sound. */
  hasPictures?: boolean;
  /** Longer than the sound. */
  picturesSeconds?: number;
}

const FORMATS = {
  mp4: () => new Mp4OutputFormat(),
  mov: () => new MovOutputFormat(),
  mkv: () => new MkvOutputFormat(),
  ts: () => new MpegTsOutputFormat(),
  aac: () => new AdtsOutputFormat(),
};

/** Speech as phones pack it (AAC at 48,000 Hz, one channel). */
const AAC = {
  codec: "mp4a.40.2",
  numberOfChannels: 1,
  sampleRate: 48_000,
  description: new Uint8Array([0x11, 0x88]),
};
/** The smallest set of parameters of H.264 that names a size. */
const AVC = {
  codec: "avc1.42001e",
  codedWidth: 16,
  codedHeight: 16,
  description: new Uint8Array([
    1, 0x42, 0, 0x1e, 0xff, 0xe1, 0, 8, 0x67, 0x42, 0, 0x1e, 0xda, 0x79, 0, 0, 1, 0, 1, 0x68,
  ]),
};
const PACKETS_PER_SECOND = 48_000 / 1024;
const QUIET_BYTES = 12;
const LOUD_BYTES = 40;

/** Every tenth second is quiet: it packs into less. */
export async function sampleRecording(
  format: RecordingFormat,
  { said, seconds, hasPictures, picturesSeconds = seconds }: SampleRecording,
): Promise<Buffer> {
  const target = new BufferTarget();
  const output = new Output({ format: FORMATS[format](), target });
  const sound = new EncodedAudioPacketSource("aac");
  output.addAudioTrack(sound);
  const pictures = hasPictures ? new EncodedVideoPacketSource("avc") : null;
  if (pictures) output.addVideoTrack(pictures);
  await output.start();
  const duration = 1 / PACKETS_PER_SECOND;
  const texts = new Map(Object.entries(said).map(([at, text]) => [Math.ceil(Number(at) * PACKETS_PER_SECOND), text]));
  for (let index = 0; index < seconds * PACKETS_PER_SECOND; index++) {
    const at = index * duration;
    const text = texts.get(index);
    const data = text
      ? Buffer.from(`{{say:${text}}}`)
      : Buffer.alloc(at % 10 < 9 ? LOUD_BYTES : QUIET_BYTES, index % 251);
    await sound.add(new EncodedPacket(data, "key", at, duration), { decoderConfig: AAC });
    if (pictures && index % 48 === 0) {
      await pictures.add(new EncodedPacket(Buffer.alloc(500, 7), "key", at, duration * 48), { decoderConfig: AVC });
    }
  }
  for (let at = seconds; pictures && at < picturesSeconds; at++) {
    await pictures.add(new EncodedPacket(Buffer.alloc(500, 7), "key", at, 1), { decoderConfig: AVC });
  }
  await output.finalize();
  return Buffer.from(target.buffer ?? new ArrayBuffer(0));
}
