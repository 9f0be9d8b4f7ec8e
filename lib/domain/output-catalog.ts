/**
 * What pictures, speech and videos cost, in credits. As in the model catalog, the figures are the provider's list with a
 * credit worth about 0.01 USD, rounded up; a model that is not in the list gets a careful default.
 */

/** What is to be made, as far as its price depends on it. */
export type PricedOutput =
  | { outputType: "image"; model: string }
  | { outputType: "audio"; model: string; characters: number }
  | { outputType: "video"; model: string; seconds: number };

/** Whole credits for one output, at least 1. It is known before anything is made, so nobody is charged more than was promised. */
export function outputCredits(output: PricedOutput): number {
  return Math.max(1, Math.ceil(rawCredits(output)));
}

function rawCredits(output: PricedOutput): number {
  switch (output.outputType) {
    case "image":
      return priceOf(IMAGE_CREDITS, output.model);
    case "audio":
      return (priceOf(SPEECH_CREDITS_PER_THOUSAND_CHARACTERS, output.model) * output.characters) / 1_000;
    case "video":
      return priceOf(VIDEO_CREDITS_PER_SECOND, output.model) * output.seconds;
  }
}

interface PriceList {
  /** By the beginning of the model's name, longer names first. */
  known: readonly (readonly [prefix: string, credits: number])[];
  other: number;
}

const IMAGE_CREDITS: PriceList = {
  known: [
    ["gpt-image-1-mini", 2],
    ["gpt-image-2.6-sunburst", 10],
    ["gpt-image-2.5-sunburst", 10],
  ],
  other: 6,
};

const SPEECH_CREDITS_PER_THOUSAND_CHARACTERS: PriceList = { known: [["tts-1-hd", 3]], other: 1.5 };

const VIDEO_CREDITS_PER_SECOND: PriceList = { known: [["sora-2-pro", 30]], other: 10 };

function priceOf({ known, other }: PriceList, model: string): number {
  const bareName = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return known.find(([prefix]) => bareName.startsWith(prefix))?.[1] ?? other;
}
