// ImageMagick as WebAssembly: it unpacks pictures that models do not take as they are. Plain JavaScript, run from its source by
// the threads of readers, which are ended when it takes too long or too much memory.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  AlphaAction,
  ColorSpace,
  ImageMagick,
  initializeImageMagick,
  MagickColor,
  MagickFormat,
  MagickGeometry,
  MagickImage,
  MagickReadSettings,
} from "@imagemagick/magick-wasm";

await initializeImageMagick(await readFile(fileURLToPath(import.meta.resolve("@imagemagick/magick-wasm/magick.wasm"))));

/**
 * Unpacks one picture of a file, upright, in the colours of screens and on white, and hands it over.
 * @param format as the file's content says it: what it is is never guessed here
 * @param index among the pictures of the file
 * @throws what the library says of a picture that it cannot unpack
 */
export function withPicture(bytes, format, index, use) {
  const settings = new MagickReadSettings({ format, frameIndex: index, frameCount: 1 });
  return ImageMagick.read(bytes, settings, (picture) => {
    picture.autoOrient();
    if (picture.hasAlpha) {
      picture.backgroundColor = new MagickColor("white");
      picture.alpha(AlphaAction.Remove);
    }
    if (picture.colorSpace !== ColorSpace.sRGB && picture.colorSpace !== ColorSpace.Gray)
      picture.colorSpace = ColorSpace.sRGB;
    return use(picture);
  });
}

/** The size of a file's first picture, upright, before it is unpacked. */
export function sizeOf(bytes, format) {
  const picture = MagickImage.create();
  try {
    picture.ping(bytes, new MagickReadSettings({ format, frameIndex: 0, frameCount: 1 }));
    return { width: picture.width, height: picture.height };
  } finally {
    picture.dispose();
  }
}

/** The picture as a JPEG, without what a camera or a program wrote beside it. */
export function toJpeg(picture, quality) {
  picture.strip();
  picture.quality = quality;
  // What is handed over is gone afterwards.
  return picture.write(MagickFormat.Jpeg, (bytes) => new Uint8Array(bytes));
}

/** A size to bring a picture to, whatever its own is. */
export function exactly({ width, height }) {
  const geometry = new MagickGeometry(width, height);
  geometry.ignoreAspectRatio = true;
  return geometry;
}
