import type { BusboyFileStream, BusboyInstance } from "@fastify/busboy";
import { invalidField } from "@/lib/domain/errors";
import { isFileField } from "@/lib/http/file-field";
import { FirstFailure } from "@/lib/http/first-failure";
import { lostPart, malformed, PLAIN_TEXT, shownName, tooManyFields, unnamedPart } from "@/lib/http/multipart-refusals";
import { makeParser, refusedEncoding, watchParts } from "@/lib/http/receive-multipart-parser";
import { readSentFileName } from "@/lib/http/sent-file-name";
import { readSentText } from "@/lib/http/sent-text";
import { fileTooLarge } from "@/lib/storage/byte-meter";

/** A file as it arrives. `name` and `contentType` are the client's words: not to be trusted. */
export interface IncomingFile {
  name: string;
  contentType: string;
  /** Has at least one byte. Throws when the request turns out to be bad, so that what was written can be undone. */
  stream: AsyncIterable<Uint8Array>;
  /** 0 for the first file. */
  index: number;
}

/** What a part says of itself. */
interface SentFile {
  name: string;
  contentType: string;
  /** Nothing at all, as a text field. */
  isPlainText: boolean;
}

export interface MultipartFormOptions<T> {
  /** The one field that takes files, and how many. */
  files: { field: string; max: number };
  /** Fields of JSON: text, also when they come with a file name. */
  jsonFields?: readonly string[];
  maxFileBytes: number;
  /** How many text fields. Default 20. */
  maxFields?: number;
  /** Size of one text field. Default 1 MB. */
  maxFieldBytes?: number;
  /** What is wrong with a longer one, of which `start` is the beginning; else that many bytes are named as the limit. */
  refuseLongField?(name: string, start: string): string | undefined;
  /** Must read the stream to its end or throw. Called for one file after another. */
  saveFile(file: IncomingFile): Promise<T>;
}

export interface ReceivedMultipart<T> {
  /** Text fields, without a prototype: any name is harmless. */
  fields: Record<string, string>;
  /** What `saveFile` returned, in the order of the files. */
  files: T[];
}

export const DEFAULT_MAX_FIELDS = 20;
export const DEFAULT_MAX_FIELD_BYTES = 1024 * 1024;

/** One form being read. The first failure wins: it stops everything, and later ones are its consequences. */
export class MultipartForm<T> {
  private readonly parser: BusboyInstance;
  private readonly fields = new Map<string, string>();
  private readonly saved: T[] = [];
  private readonly openStreams = new Set<BusboyFileStream>();
  private readonly finished: Promise<void>;
  private saving: Promise<void> = Promise.resolve();
  private fileCount = 0;
  private readonly failure = new FirstFailure((error) => {
    for (const stream of this.openStreams) stream.destroy(asError(error));
  });
  private readonly maxFieldBytes: number;

  /** @throws AppError INVALID_MULTIPART without a usable boundary */
  constructor(
    contentType: string,
    private readonly options: MultipartFormOptions<T>,
  ) {
    const { maxFields = DEFAULT_MAX_FIELDS, maxFieldBytes = DEFAULT_MAX_FIELD_BYTES } = options;
    this.maxFieldBytes = maxFieldBytes;
    this.parser = makeParser(contentType, options, maxFields, maxFieldBytes);
    this.finished = new Promise((resolve) => this.parser.on("finish", resolve));
    this.parser.on("error", (cause) => this.fail(malformed(cause)));
    this.parser.on("fieldsLimit", () => this.fail(tooManyFields(maxFields)));
    this.parser.on("partsLimit", () => this.fail(tooManyFields(maxFields)));
    const partHeaders = watchParts(this.parser, () => this.fail(lostPart()));
    this.parser.on("field", (name: string | undefined, value, _isNameCut, isValueCut, encoding) => {
      this.checkEncoding(encoding);
      this.addField(name, value, isValueCut, partHeaders().contentType);
    });
    this.parser.on("file", (name: string | undefined, stream, fileName: string | undefined, encoding, mediaType) => {
      this.checkEncoding(encoding);
      const { contentType, disposition } = partHeaders();
      const isPlainText = fileName === undefined && contentType === undefined;
      const sent = { name: readSentFileName(fileName ?? "", disposition), contentType: contentType ?? mediaType };
      this.addFile(name, stream, { ...sent, isPlainText });
    });
  }

  /** Parses a chunk; returns when its bytes were taken on. */
  async write(chunk: Uint8Array): Promise<void> {
    await this.waitFor(new Promise<void>((resolve) => this.parser.write(chunk, () => resolve())));
  }

  /** After the last chunk: waits until all files are saved. */
  async finish(): Promise<ReceivedMultipart<T>> {
    this.parser.end();
    await this.waitFor(this.finished);
    await this.saving;
    this.failure.throwIfAny();
    const fields: Record<string, string> = Object.create(null);
    for (const [name, value] of this.fields) fields[name] = value;
    return { fields, files: this.saved };
  }

  /** Waits for a promise, but not beyond the failure of the form. */
  async waitFor<V>(promise: Promise<V>): Promise<V> {
    return this.failure.waitFor(promise);
  }

  /** Ends everything that is going on with this error, unless something failed before. */
  fail(error: unknown): void {
    this.failure.set(error);
  }

  /** After a failure: waits for the file being saved to be undone, and hands over those that were saved. */
  async abandon(error: unknown): Promise<T[]> {
    this.fail(error);
    await this.saving;
    return this.saved.splice(0);
  }

  private checkEncoding(encoding: string): void {
    const refusal = refusedEncoding(encoding);
    if (refusal) this.fail(refusal);
  }

  private addField(name: string | undefined, value: string, isCut: boolean, contentType: string | undefined): void {
    if (name === undefined) return this.fail(unnamedPart());
    const shown = shownName(name);
    if (isCut) {
      const message = this.options.refuseLongField?.(name, value);
      return this.fail(invalidField(shown, message ?? `must be at most ${this.maxFieldBytes} bytes`));
    }
    if (this.fields.has(name)) return this.fail(invalidField(shown, "must be sent once"));
    try {
      this.fields.set(name, readSentText(Buffer.from(value, "latin1"), contentType, shown));
    } catch (error) {
      this.fail(error);
    }
  }

  private addFile(name: string | undefined, stream: BusboyFileStream, sent: SentFile): void {
    // Errors come through the iteration below; without a listener they would end the process.
    stream.on("error", () => {});
    const { field, max } = this.options.files;
    if (!isFileField(name, this.options.files) || max === 0) {
      const message = max === 0 ? "must not be a file" : `must not be a file; send the file as ${field}`;
      return this.fail(invalidField(shownName(name ?? ""), message));
    }
    if (this.fileCount === max)
      return this.fail(invalidField(field, `must be at most ${max} ${max === 1 ? "file" : "files"}`));
    const index = this.fileCount;
    this.fileCount += 1;
    this.openStreams.add(stream);
    this.saving = this.saving.then(() => this.save(stream, sent, index)).catch((error) => this.fail(error));
  }

  private async save(stream: BusboyFileStream, sent: SentFile, index: number): Promise<void> {
    const { field, max } = this.options.files;
    const number = max > 1 ? index + 1 : undefined;
    const bytes = this.bytesOf(stream, number);
    const first = await bytes.next();
    if (first.done) {
      // A browser's way of saying that no file was chosen.
      if (sent.name === "") return;
      throw invalidField(field, `${number ? `number ${number} ` : ""}is empty; send a file with content`);
    }
    if (sent.isPlainText) throw invalidField(field, PLAIN_TEXT);
    const firstChunk = first.value;
    let isReadToEnd = false;
    async function* whole() {
      yield firstChunk;
      yield* bytes;
      isReadToEnd = true;
    }
    const { name, contentType } = sent;
    this.saved.push(await this.options.saveFile({ name, contentType, index, stream: whole() }));
    if (!isReadToEnd) throw new Error("saveFile() returned without reading the stream to its end.");
  }

  private async *bytesOf(stream: BusboyFileStream, number: number | undefined): AsyncGenerator<Uint8Array, void> {
    const { files, maxFileBytes } = this.options;
    let total = 0;
    try {
      // A stream may have ended because the request broke off; only the failure tells.
      this.failure.throwIfAny();
      for await (const chunk of stream as AsyncIterable<Uint8Array>) {
        total += chunk.byteLength;
        if (total > maxFileBytes) throw fileTooLarge(maxFileBytes, files.field, number);
        yield chunk;
      }
      this.failure.throwIfAny();
    } finally {
      this.openStreams.delete(stream);
    }
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
