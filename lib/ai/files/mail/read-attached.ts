import { Readable } from "node:stream";
import type { Extraction } from "@/lib/ai/files/file-kinds";
import type { AttachedFile, AttachedText, ReadAttached } from "@/lib/ai/files/mail/attached-file";
import { readAttachedText } from "@/lib/ai/files/mail/attached-text";
import {
  budgetOf,
  type FileToUnderstand,
  MAX_CHARACTERS_PER_TOKEN,
  type UnderstoodFile,
} from "@/lib/ai/files/understood-file";
import { type ModelPart, pictureBytes } from "@/lib/ai/model-message";
import {
  MAX_PICTURE_BYTES_PER_REQUEST,
  MAX_PICTURES_PER_REQUEST,
  PAGE_PICTURE_TOKENS,
} from "@/lib/domain/page-pictures";
import { estimateTokens } from "@/lib/domain/token-estimate";
import { TurnError } from "@/lib/domain/turn-errors";

/** Each may take a process. */
const MAX_FILES = 50;
/** For all of them together. */
const DEADLINE_MS = 60_000;
/** As usual for a document. */
const READER_DEADLINE_MS = 30_000;
const TOO_MUCH = "too much came before it";

/**
 * Reads the files that came along with a mail, or in a PDF: texts, PDFs and Office documents with it, pictures and scans as what follows it. One
 * that cannot be read says why; sound is named.
 */
export class AttachedReader {
  /** What follows the text: pictures and documents with pages without text, each behind a text that names it. */
  readonly shown: ModelPart[] = [];
  /** Estimated, of what follows. */
  shownTokens = 0;
  #pictures: number;
  /** Estimated, of the file's own. */
  #ownTokens = 0;
  #pictureBytes = MAX_PICTURE_BYTES_PER_REQUEST;
  readonly #file: FileToUnderstand;
  readonly #understand: (file: FileToUnderstand) => Promise<UnderstoodFile>;

  /** @param understand reads a picture or a document of pages as if it had been sent by itself */
  constructor(file: FileToUnderstand, understand: (file: FileToUnderstand) => Promise<UnderstoodFile>) {
    this.#file = file;
    this.#pictures = file.maxPictures ?? MAX_PICTURES_PER_REQUEST;
    this.#understand = understand;
  }

  /**
   * Of the room that the file has, its own text takes so much; and where pages of it are shown as pictures, nothing else is.
   * @param tokens estimated
   */
  keepRoom(tokens: number, hasPictures: boolean): void {
    this.#ownTokens = tokens;
    if (hasPictures) this.#pictures = 0;
  }

  /** @throws the signal's own reason */
  readonly read: ReadAttached = async (files) => {
    const { lane, signal } = this.#file;
    let maxCharacters = budgetOf(this.#file) * MAX_CHARACTERS_PER_TOKEN;
    const endMs = performance.now() + DEADLINE_MS;
    const texts: AttachedText[] = [];
    for (const [index, attached] of files.entries()) {
      const deadlineMs = Math.min(READER_DEADLINE_MS, endMs - performance.now());
      const isLeft = index < MAX_FILES && deadlineMs > 0 && maxCharacters > 0;
      const limits = { maxCharacters, lane, signal, deadlineMs };
      const read = isLeft ? await this.#readOne(attached, limits) : { name: attached.name, reason: TOO_MUCH };
      maxCharacters -= read.text?.length ?? 0;
      texts.push(read);
    }
    return texts;
  };

  /** The mail or the PDF with what follows its text. */
  addTo(file: UnderstoodFile): UnderstoodFile {
    if (this.shown.length === 0 && this.shownTokens === 0) return file;
    const { parts, extraction } = file;
    const tokens = extraction.tokens + this.shownTokens;
    return { ...file, parts: [...parts, ...this.shown], extraction: { ...extraction, tokens } };
  }

  async #readOne({ name, contentType, bytes }: AttachedFile, limits: Parameters<typeof readAttachedText>[1]) {
    if (!bytes?.byteLength) return { name };
    try {
      const file = { name, contentType, bytes };
      const { text, isToSee } = await readAttachedText(file, limits);
      if (isToSee && this.#hasRoomFor(text) && (await this.#show(file))) return { name, isBelow: true };
      return text?.trim() ? { name, text: text.trim() } : { name };
    } catch (error) {
      if (error instanceof TurnError && error.code === "UNSUPPORTED_FILE") return { name, reason: error.message };
      throw error;
    }
  }

  get #leftTokens(): number {
    const budget = budgetOf(this.#file);
    return Math.min(Math.floor(budget * MAX_SHARE), budget - this.#ownTokens) - this.shownTokens;
  }

  /** Parts of a long mail show no pictures, and a long text goes with the mail's: it may be read in parts. */
  #hasRoomFor(text = ""): boolean {
    if (this.#file.partTokens !== undefined || this.#pictures <= 0) return false;
    return estimateTokens(text) + PAGE_PICTURE_TOKENS <= this.#leftTokens;
  }

  /** @returns false when nothing of it can be shown */
  async #show({ name, contentType, bytes }: Required<AttachedFile>): Promise<boolean> {
    const { parts, extraction, refusal } = await this.#understand({
      ...this.#file,
      bytesSource: async (range) => Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes]),
      size: bytes.byteLength,
      isInMemory: true,
      isAttached: true,
      name,
      contentType,
      maxTokens: this.#leftTokens,
      maxPictures: this.#pictures,
    });
    const sentBytes = pictureBytes(parts);
    if (refusal || sentBytes > this.#pictureBytes) return false;
    this.#pictureBytes -= sentBytes;
    this.shown.push(...parts);
    this.shownTokens += extraction.tokens;
    this.#pictures -= Math.max(parts.filter(({ type }) => type === "image").length, countOf(extraction));
    return true;
  }
}

/** Pictures that are shown, or would be, of a quote. */
function countOf({ kind, pieces, picturePages, pictures }: Extraction): number {
  return kind === "image" ? (pieces ?? 1) : (picturePages ?? pictures ?? 0);
}

/** Of what the mail or the PDF may take: the rest is its text's. */
const MAX_SHARE = 0.5;
