/**
 * The models whose window and price are known. Prices are in credits for 1,000 tokens and use the figures of the
 * provider's list in USD for 1,000,000 tokens: with a credit worth about 0.01 USD that is ten times the list.
 */

export interface ModelEntry {
  /** The name that was matched; "default" for a model that is not in the list. */
  id: string;
  /** Input and output together, in tokens. */
  contextWindowTokens: number;
  maxOutputTokens: number;
  creditsPerThousandTokensIn: number;
  creditsPerThousandTokensOut: number;
  /** Whether pictures can be part of a message. */
  isVisual: boolean;
  isKnown: boolean;
}

/** What an operator says of a model; what is left out is as for any model that is not in the list. */
export interface OwnModel {
  contextWindowTokens?: number;
  maxOutputTokens?: number;
  creditsPerThousandTokensIn?: number;
  creditsPerThousandTokensOut?: number;
  isVisual?: boolean;
}

/** By the models' names, in lower case. */
export type OwnModels = Readonly<Record<string, OwnModel>>;

/** The name under which an operator speaks of every model that is named nowhere else. */
export const ANY_MODEL = "*";

/**
 * Takes the operator's own models, once, when the process starts: they go before the list. Kept with the process, because
 * a bundler copies this module into several bundles.
 */
export function setOwnModels(models: OwnModels): void {
  const byName = Object.entries(models).map(([name, model]) => [name.toLowerCase(), model] as const);
  (globalThis as { [OWN_MODELS]?: OwnModels })[OWN_MODELS] = Object.fromEntries(byName);
}

/** The operator's own models, for `findModel` where this process's are not at hand: in a browser. */
export function ownModels(): OwnModels {
  return (globalThis as { [OWN_MODELS]?: OwnModels })[OWN_MODELS] ?? {};
}

/** The models that can be named, the operator's own first. */
export function modelNames(own: OwnModels = ownModels()): string[] {
  const names = [...Object.keys(own).filter((name) => name !== ANY_MODEL), ...ENTRIES.map(({ id }) => id)];
  return [...new Set(names)];
}

/**
 * The entry of a model. The operator's own go first; dated releases ("gpt-4.1-mini-2025-04-14") and names with a maker in
 * front ("openai/gpt-4.1-mini") get the entry of their family; any other model gets a careful default.
 */
export function findModel(name: string, models: OwnModels = ownModels()): ModelEntry {
  const wholeName = name.toLowerCase();
  const bareName = wholeName.slice(wholeName.lastIndexOf("/") + 1);
  const listed = ENTRIES.find((entry) => bareName === entry.id || isRelease(bareName, entry.id));
  const ownOf = (key: string) => (Object.hasOwn(models, key) ? models[key] : undefined);
  const own = ownOf(wholeName) ?? ownOf(bareName) ?? (listed ? undefined : ownOf(ANY_MODEL));
  if (!own) return listed ?? DEFAULT_ENTRY;
  return { ...(listed ?? { ...DEFAULT_ENTRY, id: bareName }), ...own };
}

const OWN_MODELS = Symbol.for("service.own-models");

/** Tokens that input may take when the model keeps room for an answer of `tokensOut` tokens. */
export function inputBudgetTokens(model: ModelEntry, tokensOut: number = ANSWER_ROOM_TOKENS): number {
  // Never more than half of the window for the answer, or a small model could be told nothing.
  const answerRoom = Math.min(tokensOut, model.maxOutputTokens, model.contextWindowTokens / 2);
  return Math.floor((model.contextWindowTokens - answerRoom) * ESTIMATE_SAFETY);
}

/** Room that is kept for the answer where nothing else is said. */
export const ANSWER_ROOM_TOKENS = 16_384;

/** Token counts are estimates: a part of the window stays free for their error. */
const ESTIMATE_SAFETY = 0.8;

/** "gpt-4.1-mini-2025-04-14" is a release of "gpt-4.1-mini"; "gpt-4.1-mini" is none of "gpt-4.1". */
function isRelease(name: string, family: string): boolean {
  return name.startsWith(`${family}-`) && /^(\d{4}(-\d{2}-\d{2})?|latest|preview)$/.test(name.slice(family.length + 1));
}

type Row = [id: string, window: number, maxOut: number, priceIn: number, priceOut: number, isVisual: boolean];

const ROWS: Row[] = [
  ["gpt-4.1", 1_047_576, 32_768, 2, 8, true],
  ["gpt-4.1-mini", 1_047_576, 32_768, 0.4, 1.6, true],
  ["gpt-4.1-nano", 1_047_576, 32_768, 0.1, 0.4, true],
  ["gpt-4o", 128_000, 16_384, 2.5, 10, true],
  ["gpt-4o-mini", 128_000, 16_384, 0.15, 0.6, true],
  ["gpt-5", 400_000, 128_000, 1.25, 10, true],
  ["gpt-5-mini", 400_000, 128_000, 0.25, 2, true],
  ["gpt-5-nano", 400_000, 128_000, 0.05, 0.4, true],
  ["o3", 200_000, 100_000, 2, 8, true],
  ["o3-mini", 200_000, 100_000, 1.1, 4.4, false],
  ["o4-mini", 200_000, 100_000, 1.1, 4.4, true],
];

const ENTRIES: ModelEntry[] = ROWS.map(([id, window, maxOut, priceIn, priceOut, isVisual]) => ({
  id,
  contextWindowTokens: window,
  maxOutputTokens: maxOut,
  creditsPerThousandTokensIn: priceIn,
  creditsPerThousandTokensOut: priceOut,
  isVisual,
  isKnown: true,
}));

const DEFAULT_ENTRY: ModelEntry = {
  id: "default",
  contextWindowTokens: 32_768,
  maxOutputTokens: 4_096,
  creditsPerThousandTokensIn: 0.4,
  creditsPerThousandTokensOut: 1.6,
  isVisual: true,
  isKnown: false,
};
