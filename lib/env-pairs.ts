/** Settings that do nothing without another one; what starts with half of them looks well and does not work. */

type Source = Readonly<Record<string, string | undefined>>;

/** Each needs the others of its list. */
const TOGETHER = [
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  ["GITHUB_CLIENT_ID", "GITHUB_CLIENT_SECRET"],
];
/** A development server takes and makes calls without keys. */
const KEYS_OF_INNGEST = ["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"];
/** Of no use without them; the SDK would take calls by the fallback also where the embedded runner works. */
const BESIDE_THE_KEYS = ["INNGEST_BASE_URL", "INNGEST_SIGNING_KEY_FALLBACK"];

const FALLBACK = ["FALLBACK_API_KEY", "FALLBACK_BASE_URL", "FALLBACK_MODEL"];

/** What stands in for nothing would be no fallback but the model itself, and the demo model would answer in its place. */
function fallbackOfNothing(source: Source): string[] {
  const given = FALLBACK.find((name) => source[name] !== undefined);
  if (given === undefined || source.OPENAI_API_KEY !== undefined || source.OPENAI_BASE_URL !== undefined) return [];
  return [
    `${given}: stands in for a model that is not set. Set OPENAI_API_KEY or OPENAI_BASE_URL too, or leave it out.`,
  ];
}

/** One line for each setting that is missing beside another. */
export function missingHalves(source: Source, isInngestDevelopment: boolean): string[] {
  const isThere = (name: string) => source[name] !== undefined;
  const groups = isInngestDevelopment ? TOGETHER : [...TOGETHER, KEYS_OF_INNGEST];
  const halves = groups.flatMap((names) => {
    const given = [...names, ...(names === KEYS_OF_INNGEST ? BESIDE_THE_KEYS : [])].find(isThere);
    if (given === undefined) return [];
    return names
      .filter((name) => !isThere(name))
      .map((name) => `${name}: is missing beside ${given}. Set both or neither.`);
  });
  return [...halves, ...fallbackOfNothing(source)];
}
