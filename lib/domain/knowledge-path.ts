/**
 * Names of knowledge files: paths below `.brain/api/db/` (§1). They are names in the database, never paths on a disk.
 */

/** Where knowledge files stand, in the words of the specification. */
const KNOWLEDGE_ROOT = ".brain/api/db/";

const MAX_KNOWLEDGE_PATH_CHARACTERS = 200;
const MAX_SEGMENT_CHARACTERS = 100;
const MAX_SEGMENTS = 8;

/** Profiles of end users have their names here; they are no knowledge files. */
const MEMORY_FOLDER = "users";

/** Letters, digits and marks of any script, and what names commonly hold: no backslash, no control or direction characters. */
const SEGMENT = /^[\p{L}\p{N}_][\p{L}\p{N}\p{M} ._()+&,@~=-]*$/u;

/** A usable path, or what is wrong with it, in words that follow the field's name. */
export type KnowledgePath = { path: string } | { problem: string };

/**
 * Reads the name of a knowledge file, given below `.brain/api/db/` or from there on.
 * @param text e.g. "products/prices.md" or ".brain/api/db/products/prices.md"
 */
export function parseKnowledgePath(text: string): KnowledgePath {
  const normal = text.normalize("NFC");
  const path = normal.startsWith(KNOWLEDGE_ROOT) ? normal.slice(KNOWLEDGE_ROOT.length) : normal;
  const problem = findProblem(path);
  return problem === null ? { path } : { problem };
}

/** The name under which an end user's memory profile goes. */
export function memoryPathOf(endUserId: string): string {
  return `${MEMORY_FOLDER}/${endUserId}.md`;
}

function findProblem(path: string): string | null {
  if (path === "") return "is required";
  if (path.length > MAX_KNOWLEDGE_PATH_CHARACTERS) {
    return `must have at most ${MAX_KNOWLEDGE_PATH_CHARACTERS} characters`;
  }
  if (!path.endsWith(".md")) return "must end in .md";
  const segments = path.split("/");
  if (segments.length > MAX_SEGMENTS) return `must have at most ${MAX_SEGMENTS - 1} folders`;
  for (const segment of segments) {
    if (segment.length > MAX_SEGMENT_CHARACTERS) {
      return `must have at most ${MAX_SEGMENT_CHARACTERS} characters between slashes`;
    }
    if (segment.includes("..")) return 'must not contain ".."';
    if (!SEGMENT.test(segment) || /[ .]$/.test(segment)) {
      return "must be names of letters, digits, spaces and . _ ( ) + & , @ ~ = - with single slashes between them, each beginning with a letter or digit";
    }
  }
  if (segments[0]?.toLowerCase() === MEMORY_FOLDER)
    return `must not begin with ${MEMORY_FOLDER}/: memory profiles stand there`;
  return null;
}
