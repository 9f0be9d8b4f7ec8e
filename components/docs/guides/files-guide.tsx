import { Facts, Guide, GuidePart, Points, Text } from "@/components/docs/guide";
import { SnippetTabs } from "@/components/docs/snippet-tabs";
import { fileSnippets } from "@/components/docs/snippets/files";

const KINDS: [string, string][] = [
  ["Text", "Plain text, Markdown, CSV, JSON, HTML, XML, source code, mails (EML, EMLX, MSG)"],
  [
    "Documents",
    "PDF, DOCX, XLSX, PPTX, ODT, TIFF; of older programs and others DOC, RTF, XLS, XLSB, PPT, ODS, ODP; e-books (EPUB)",
  ],
  ["Pictures", "PNG, JPEG, WebP, GIF; HEIC, AVIF and BMP, which go to the AI as JPEG"],
  [
    "Sound and video",
    "MP3, WAV, M4A, AAC, OGG, FLAC, WebM, MP4, MOV, MKV; what is said is transcribed, up to 12 hours of it",
  ],
];

/** How to send files and get results. */
export function FilesGuide({ apiUrl }: { apiUrl: string }) {
  const snippets = fileSnippets(apiUrl);
  return (
    <Guide lead="A file and an instruction; the answer is text, or a file that the AI made." title="Files">
      <GuidePart id="send" title="Send a file">
        <Text>
          A multipart form with `file` and `prompt`, or a `templateId` instead of the prompt. Files may have up to 500
          MB; they are stored as they arrive, and a call that is refused leaves nothing behind.
        </Text>
        <SnippetTabs group={snippets.send} />
      </GuidePart>
      <GuidePart id="kinds" title="What is understood">
        <Text>The content decides, not the name. Anything else ends as `failed` with `UNSUPPORTED_FILE`.</Text>
        <Facts label="Kinds of files" names={["Kind", "Formats"]} rows={KINDS} />
        <Text>
          Text is best in UTF-8. UTF-16 and older encodings, those of DOS too, are read where the file says or shows
          which one it is. Latin letters with accents of which nothing tells more are read as Windows-1252; other
          scripts are refused rather than guessed. Files that stand in a text as base64 or hex are left out.
        </Text>
        <Text>
          Documents are read with their comments, notes, forms, what stamps and signatures say, and the numbers of their
          lists; what is struck out stands between `~~` and `~~`. A signed file (P7M) is read as what was signed;
          whether the signature is sound is not looked at. What is attached to a mail, or comes along in a PDF (such as
          the XML of an invoice: Factur-X, ZUGFeRD), is read with it: texts, PDFs, Office documents and pictures, up to
          fifty files of which twenty pictures are shown. Sound, and what comes along in what came along, is named, not
          read: send it as a file of its own. Pictures beside the text of a document or of a PDF's page are counted.
        </Text>
        <Text>
          Pages of a PDF without text, scans with no more than a line stamped on them, pages whose fonts do not say
          which letters they show, all pages of a TIFF, and up to twenty pictures of an Office document with no more
          than some words beside each, such as scans in a DOCX or slides that are pictures, are shown to the AI as
          pictures; photos are turned upright, as their camera notes it, and a long picture, such as one of a whole chat
          or a receipt, goes in pieces that can be read. What is more than the model takes at once, in text or in
          pictures, is read in parts; the record's `context` says which pages were shown and what was left out.
        </Text>
      </GuidePart>
      <GuidePart id="json" title="Get JSON, by your schema">
        <Text>
          With `outputSchema`, a JSON Schema of an object, `output` is one JSON object that fits it, or the call ends as
          `failed` with `OUTPUT_SCHEMA_NOT_MET` and costs nothing. `/process`, `/process/batch`, `/chat` and `/b2b/send`
          take it; in forms it is a JSON string. Give what libraries make of your types, as `z.toJSONSchema` of Zod or
          `model_json_schema` of Pydantic.
        </Text>
        <SnippetTabs group={snippets.json} />
        <Points
          items={[
            "It is of that call alone: the next message to the session is answered in words, or by a schema of its own.",
            "What does not fit goes back to the model up to twice; those tries cost their tokens. The stream has the answer in one piece.",
            'Describe each field in its `description`, and let what the file may not say be null: `"type": ["string", "null"]`.',
            "`$ref` may lead to any place in the schema, but not back to itself. `pattern`, `format` and `uniqueItems` are told to the model and not checked.",
            "Pictures, speech and videos are not made in such a call.",
            "In the panel, the list of sessions gives the answers that its filters let through as CSV, with a column for each value.",
          ]}
        />
      </GuidePart>
      <GuidePart id="wait" title="Get the result">
        <Text>
          Ask for the record until its status is neither `started` nor `resumed`. Fewer calls: the stream, or a
          `callbackUrl`.
        </Text>
        <SnippetTabs group={snippets.wait} />
        <Points
          items={[
            "A `reference` of your own, such as an invoice’s number, stands in the record and in each event; of a batch it is the same for all.",
            "Text is in `output`. Pictures, sound and video are behind `downloadUrl`; ask for them in the prompt.",
            "The download takes ranges, so that a broken one can be continued.",
            "Before the result is there, a download is a 409 `NOT_READY`; `retryable` says whether there will be one.",
            "The same while a further question about the file is answered. One that fails or is canceled leaves the answer before it.",
          ]}
        />
      </GuidePart>
      <GuidePart id="batch" title="Many files at once">
        <Text>
          Up to 50 files with one instruction. Either all are accepted or none; the answer keeps their order. The field
          `file` is there once for each; libraries that write it `file[]` or `file[0]`, as PHP’s curl does, are
          understood.
        </Text>
        <SnippetTabs group={snippets.batch} />
        <Text>
          A batch works in the background. While all that may run at once for an account does run, chats and single
          files that come later are given places first: a night’s ten thousand documents do not keep your users waiting.
        </Text>
      </GuidePart>
      <GuidePart id="direct" title="Hosts that limit requests">
        <Text>
          Where a request may not be as large as the file, ask `POST /uploads` for an address, send the bytes there with
          the method and headers that it names, and call `/process` with `uploadId` instead of `file`. The upload has to
          begin within 15 minutes and to be used within two hours; it is good for one processing. At most 100 of a
          project may wait to be used; one more is a 429.
        </Text>
        <SnippetTabs group={snippets.direct} />
      </GuidePart>
      <GuidePart id="browsers" title="From your users’ browsers">
        <Text>
          The bytes need no API key, so a page of yours may send its user’s file here by itself, whatever its size, and
          your server never holds it: it asks for the address and starts the processing.
        </Text>
        <SnippetTabs group={snippets.page} />
        <Text>
          Whoever has the address can send one file of that size by it, once, and read nothing. The guide on streaming
          says how the answer gets into the page.
        </Text>
      </GuidePart>
      <GuidePart id="go-on" title="Ask on">
        <Text>The file stays part of its session: send a message to it as to any chat.</Text>
        <SnippetTabs group={snippets.goOn} />
      </GuidePart>
    </Guide>
  );
}
