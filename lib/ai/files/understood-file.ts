import type { BreakOff, Extraction, FileKind, Skipped } from "@/lib/ai/files/file-kinds";
import type { LikelyPage } from "@/lib/ai/files/pages/look-at-pages";
import type { BytesSource, RangedFile, SourceReader } from "@/lib/ai/files/reader/read-source";
import type { ModelPart, Transcript } from "@/lib/ai/model-message";
import { MAX_HELD_BYTES } from "@/lib/domain/limits";
import { findModel, inputBudgetTokens } from "@/lib/domain/model-catalog";
import { MAX_PICTURES_PER_REQUEST, PAGE_PICTURE_TOKENS } from "@/lib/domain/page-pictures";
import { renderPieces } from "@/lib/domain/prompt-blocks";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { TurnError } from "@/lib/domain/turn-errors";
import { env } from "@/lib/env";
import { takePace } from "@/lib/give-way";

export interface FileToUnderstand {
  /** Read no further than is needed. */
  bytesSource: BytesSource;
  /** Bytes. */
  size: number;
  /** It came within another file, and so is held with it. */
  isInMemory?: boolean;
  /** It came along with a mail or in a PDF: what came along in it is named alone. */
  isAttached?: boolean;
  name: string;
  contentType: string;
  /** Whose file it is: any key, so that many files of one keep nobody else's waiting for a place to be read at. */
  lane: string;
  /** Whose window the file must fit; the default model when absent. */
  model?: string;
  /** A tighter limit than that window, e.g. what the conversation leaves of it. */
  maxTokens?: number;
  /** Fewer pictures than one request takes, e.g. what other files leave of them. */
  maxPictures?: number;
  /**
   * The file is read in parts with room for so many tokens: `maxTokens` alone counts, not the window. Pages without text
   * are named (`pagesToShow`), to be shown with their part.
   */
  partTokens?: number;
  /** What does not fit is read in parts afterwards: for a text that is too long no pages are drawn now. */
  isFirstLook?: boolean;
  /**
   * Nothing that the provider charges for, and nothing slow, is done: sound gets an estimate by its length instead of a
   * transcript, pages without text one by a look at them instead of pictures.
   */
  isQuote?: boolean;
  /** As an earlier reading of the same file said it. */
  seenPages?: LikelyPage[];
  /** Ends the reading; what is thrown then is the signal's own reason. */
  signal?: AbortSignal;
  /** Where the file's transcript is kept; without one, sound is transcribed each time. */
  transcripts?: TranscriptStore;
  /** Told when the provider begins to transcribe a recording, and after each piece of a long one. */
  onHeard?: (heard: HeardSound) => Promise<void>;
}

/** How much of a recording was transcribed, in seconds. */
export interface HeardSound {
  seconds: number;
  /** Of about so many. */
  ofSeconds: number;
}

/** The transcript of one file, kept so that nobody pays for it twice. */
export interface TranscriptStore {
  /** @param model that transcribed it: another one's transcript is another text */
  find(model: string): Promise<Transcript | null>;
  /** Asked before the provider is. @throws TurnError when so much sound costs more than it may */
  approve(model: string, seconds: number): void;
  keep(model: string, transcript: Transcript): Promise<void>;
  /** What the model has written down of a long recording so far. */
  findDraft(model: string): Promise<TranscriptDraft | null>;
  keepDraft(model: string, draft: TranscriptDraft): Promise<void>;
}

/** The beginning of a transcript that is made in pieces. */
export interface TranscriptDraft {
  text: string;
  /** Where it ends, in seconds as the recording counts them. */
  until: number;
  /** So much of it was heard. */
  seconds: number;
}

export interface UnderstoodFile {
  kind: FileKind;
  /** For the user's message, in this order, before what is asked: texts are delimited data blocks already. */
  parts: ModelPart[];
  extraction: Extraction;
  /** Of sound: its length in seconds, estimated where nobody says it. */
  soundSeconds?: number;
  /** Of a PDF that is read in parts: its pages that go as pictures, each with its part. `extraction` does not count them. */
  pagesToShow?: LikelyPage[];
  /** Of a quote, what a look at all pages without text said: it need not be taken again to quote the file in parts. */
  seenPages?: LikelyPage[];
  /** What the file is refused with unless it is read in parts: one call has no room for anything of it. */
  refusal?: TurnError;
}

/** Whether one request has no room for all of a file that can be read: for its text, or for its pages without text. */
export function isMoreThanFits({ leftOut, skipped }: Extraction): boolean {
  return leftOut !== undefined || skipped?.pagesReason === "limit";
}

/** Whether the end of what can be read of a file is left out because one request does not take it. */
export function isCutByWindow({ leftOut }: Extraction): boolean {
  return leftOut?.reason === "window";
}

/** More text than this can never fit. */
export const MAX_CHARACTERS_PER_TOKEN = 6;

/** The text of a file as the model gets it: one data block that says what is not in it. Lets others work between its steps. */
export async function asText(
  file: FileToUnderstand,
  kind: FileKind,
  text: string,
  facts: Omit<Partial<Extraction>, "kind" | "tokens">,
): Promise<UnderstoodFile> {
  const { leftOut, breaksOff, skipped } = facts;
  const notes = [leftOut && CUT_NOTE, breaksOff && noteBreak(breaksOff), skipped && noteSkipped(skipped)];
  const note = notes.filter(Boolean).join("; ");
  const pace = takePace();
  await pace.giveWay();
  let block = "";
  for (const piece of renderPieces({ tag: "document", name: file.name, kind, text, ...(note !== "" && { note }) })) {
    block += piece;
    if (pace.isDue()) await pace.giveWay();
  }
  await pace.giveWay();
  const extraction: Extraction = { kind, ...facts, characters: text.length, tokens: estimateTokens(block) };
  return { kind, parts: [{ type: "text", text: block }], extraction };
}

const CUT_NOTE = "only the beginning of the file is here; its end did not fit";

function noteBreak({ seconds }: BreakOff): string {
  const missing = seconds === undefined ? "its end is" : `about ${Math.round(seconds)} seconds of its end are`;
  return `the recording breaks off: ${missing} missing in the file`;
}

function noteSkipped({ pictures, charts, embeddedFiles, frames, pages }: Skipped): string {
  if (frames) return "this is what is said in the video; its pictures are not here";
  const things = [
    pages && `pages without text (${pages})`,
    pictures && `pictures (${pictures})`,
    charts && `charts (${charts})`,
    embeddedFiles && `embedded files (${embeddedFiles})`,
  ];
  return `not here: ${things.filter(Boolean).join(", ")}`;
}

/**
 * Formats that say only at their end what they hold must be read whole.
 * @throws TurnError UNSUPPORTED_FILE above `maxBytes`
 */
export async function readAll(
  file: FileToUnderstand,
  reader: SourceReader,
  maxBytes: number,
  what: string,
): Promise<Uint8Array> {
  const { bytes, isWhole } =
    file.size > maxBytes ? { bytes: new Uint8Array(), isWhole: false } : await reader.readTo(maxBytes);
  if (isWhole) return bytes;
  throw new TurnError(
    "UNSUPPORTED_FILE",
    `The ${what} is larger than ${maxBytes / 1024 / 1024} MB, the most that can be read of this kind.`,
  );
}

/**
 * A document whose reader reads it where it needs to: as a whole where it is small enough to be held.
 * @throws TurnError UNSUPPORTED_FILE
 */
export async function openDocument(
  file: FileToUnderstand,
  reader: SourceReader,
  what: string,
): Promise<Uint8Array | RangedFile> {
  if (file.size <= MAX_HELD_BYTES) return readAll(file, reader, MAX_HELD_BYTES, what);
  await reader.close();
  return { bytesSource: file.bytesSource, size: file.size };
}

/** Tokens that the file may take. */
export function budgetOf({ model, maxTokens = Number.POSITIVE_INFINITY, partTokens }: FileToUnderstand): number {
  if (partTokens !== undefined) return maxTokens;
  const window = inputBudgetTokens(findModel(model ?? env().DEFAULT_MODEL));
  return Math.max(1, Math.floor(Math.min(maxTokens, window - PROMPT_ROOM_TOKENS)));
}

/** How many pictures of the file one request takes, with room for so many tokens of it. */
export function mostPicturesOf(
  { maxPictures = MAX_PICTURES_PER_REQUEST }: FileToUnderstand,
  maxTokens: number,
): number {
  return Math.min(maxPictures, Math.floor(maxTokens / PAGE_PICTURE_TOKENS));
}

/** Room in the window for the system message, the instruction and the block around the file. */
const PROMPT_ROOM_TOKENS = 2_000;
