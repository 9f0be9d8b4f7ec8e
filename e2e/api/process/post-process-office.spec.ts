import { randomUUID } from "node:crypto";
import { type BookType, utils, write } from "@e965/xlsx";
import { expect, test } from "playwright/test";
import { readCredits } from "@/e2e/api/support/account-states";
import { modelRequestsWith } from "@/e2e/api/support/model-requests";
import { startProcessing } from "@/e2e/api/support/start-processing";
import { newCaller } from "@/e2e/support/suite";
import { sampleDoc } from "@/lib/ai/files/samples/sample-doc";
import { sampleEpub } from "@/lib/ai/files/samples/sample-epub";
import { docxEntries, sampleDocx, samplePptx, sampleXlsx, slideShape } from "@/lib/ai/files/samples/sample-office";
import { sampleOdt } from "@/lib/ai/files/samples/sample-open-document";
import { samplePpt } from "@/lib/ai/files/samples/sample-ppt";
import { sampleRecording } from "@/lib/ai/files/samples/sample-recording";
import {
  sampleFlac,
  sampleMp3,
  sampleMp4,
  sampleOgg,
  sampleWav,
  sampleWebm,
} from "@/lib/ai/files/samples/sample-sound";
import { buildZip } from "@/lib/ai/files/samples/sample-zip";
import { prisma } from "@/lib/db/prisma";

const asFile = (bytes: Uint8Array, name: string) => new File([new Uint8Array(bytes)], name);

function oldWorkbook(marker: string, bookType: BookType): Buffer {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([[marker, 7]]), "Costs");
  return write(book, { type: "buffer", bookType });
}

const DOCUMENTS: [kind: string, make: (marker: string) => Buffer, seen: (marker: string) => string, facts: object][] = [
  ["docx", (m) => sampleDocx("Hello", m), (m) => `Hello\n\n${m}`, {}],
  [
    "xlsx",
    (m) => sampleXlsx({ Costs: `<row><c t="inlineStr"><is><t>${m}</t></is></c><c><v>7</v></c></row>` }),
    (m) => `[Sheet 1: Costs]\n${m},7`,
    { sheets: 1, rows: 1 },
  ],
  [
    "pptx",
    (m) => samplePptx([{ shapes: slideShape("title", m), notes: "Slowly" }]),
    (m) => `[Slide 1]\n# ${m}\n\n[Notes]\nSlowly`,
    { slides: 1 },
  ],
  ["odt", (m) => sampleOdt(`<text:h>${m}</text:h><text:p>Text</text:p>`), (m) => `# ${m}\n\nText`, {}],
  ["epub", (m) => sampleEpub({ chapters: [`<h1>${m}</h1>`, "<p>Text</p>"] }), (m) => `# ${m}\n\nText`, {}],
  ["doc", (m) => sampleDoc({ body: [{ runs: [m], style: 1 }, { runs: ["Text"] }] }), (m) => `# ${m}\n\nText`, {}],
  ["rtf", (m) => Buffer.from(`{\\rtf1\\ansi {\\b ${m}}\\par Text}`), (m) => `${m}\n\nText`, {}],
  ["xls", (m) => oldWorkbook(m, "biff8"), (m) => `[Sheet 1: Costs]\n${m},7`, { sheets: 1, rows: 1 }],
  [
    "ppt",
    (m) => samplePpt({ slides: [{ texts: [{ kind: 0, text: m }], notes: "Slowly" }] }),
    (m) => `[Slide 1]\n# ${m}\n\n[Notes]\nSlowly`,
    { slides: 1 },
  ],
  ["ods", (m) => oldWorkbook(m, "ods"), (m) => `[Sheet 1: Costs]\n${m},7`, { sheets: 1, rows: 1 }],
];

test.describe("POST /process reads", () => {
  for (const [kind, make, seen, facts] of DOCUMENTS) {
    test(`${kind} by its content, and notes what was read`, async () => {
      const { api } = await newCaller();
      const marker = randomUUID();
      const { sessionId } = await startProcessing(api, asFile(make(marker), "file.txt"), { prompt: "Sum up" });
      expect(await api.waitUntilDone(`/process/${sessionId}`)).toMatchObject({ status: "completed" });
      const [asked] = await modelRequestsWith(marker);
      expect(asked?.lastUserText).toContain(`<document name="file.txt" kind="${kind}">\n${seen(marker)}`);
      const stored = await prisma().storedFile.findFirst({ where: { sessionId } });
      expect(stored?.extraction).toMatchObject({ kind, ...facts });
    });
  }

  const SOUNDS: [name: string, make: (speech: string) => Buffer, kind: string][] = [
    ["MP3", (speech) => sampleMp3({ seconds: 2, speech }), "audio"],
    ["WAV", (speech) => sampleWav({ seconds: 2, speech }), "audio"],
    ["M4A", (speech) => sampleMp4({ seconds: 2, speech }, { brand: "M4A " }), "audio"],
    ["OGG", (speech) => sampleOgg({ seconds: 2, speech }), "audio"],
    ["FLAC", (speech) => sampleFlac({ seconds: 2, speech }), "audio"],
    ["WebM with pictures", (speech) => sampleWebm({ seconds: 2, speech }, [1, 2]), "video"],
    ["MP4 with pictures", (speech) => sampleMp4({ seconds: 2, speech }, { tracks: ["vide", "soun"] }), "video"],
  ];
  for (const [name, make, kind] of SOUNDS) {
    test(`${name} as the transcript of its sound`, async () => {
      const { api } = await newCaller();
      const marker = randomUUID();
      const { sessionId } = await startProcessing(api, asFile(make(marker), "a.bin"), { prompt: "Sum up" });
      expect(await api.waitUntilDone(`/process/${sessionId}`)).toMatchObject({ status: "completed" });
      const [transcribed, asked] = await modelRequestsWith(marker);
      expect(transcribed?.path).toBe("/v1/audio/transcriptions");
      expect(asked?.lastUserText).toMatch(new RegExp(`kind="${kind}"[^>]*>\\n${marker}\\n</document>`));
      const stored = await prisma().storedFile.findFirst({ where: { sessionId } });
      expect(stored?.extraction).toMatchObject({ kind, seconds: 2, transcribedBy: "whisper-1" });
    });
  }

  test("sound once, and charges for it once", async () => {
    const { account, api } = await newCaller();
    const marker = randomUUID();
    const file = asFile(sampleWav({ seconds: 600, speech: marker }), "call.wav");
    const { sessionId } = await startProcessing(api, file, { prompt: "Sum up [[answer:Short]]" });
    const first = await api.waitUntilDone<{ creditsUsed: number }>(`/process/${sessionId}`);
    expect(first).toMatchObject({ creditsUsed: 7, context: { transcription: { seconds: 600, credits: 6 } } });
    await api.post("/chat", { sessionId, message: "And now? [[answer:Short]]" });
    const second = await api.waitUntilDone(`/process/${sessionId}`);
    expect(second).toMatchObject({ status: "completed", creditsUsed: 8 });
    const asked = await modelRequestsWith(marker);
    expect(asked.filter(({ path }) => path === "/v1/audio/transcriptions")).toHaveLength(1);
    expect(await readCredits(account)).toEqual({ balance: 992, reserved: 0, ledger: 992, charges: 2 });
  });

  test("a recording of an hour in pieces, in their order", async () => {
    const { api } = await newCaller();
    const marker = randomUUID();
    const later = { 1500: `Middle of ${marker}`, 3000: `End of ${marker}` };
    const file = asFile(sampleWav({ seconds: 3_600, speech: `Beginning of ${marker}`, later }), "meeting.wav");
    const { sessionId } = await startProcessing(api, file, { prompt: "Sum up" });
    expect(await api.waitUntilDone(`/process/${sessionId}`)).toMatchObject({ status: "completed" });
    const asked = await modelRequestsWith(marker);
    expect(asked.filter(({ path }) => path === "/v1/audio/transcriptions").length).toBeGreaterThanOrEqual(3);
    const answered = asked.find(({ path }) => path === "/v1/chat/completions");
    expect(answered?.lastUserText).toContain(`Beginning of ${marker}\nMiddle of ${marker}\nEnd of ${marker}`);
  });

  test("a film of a phone (MOV) as what is said in it", async () => {
    const { api } = await newCaller();
    const marker = randomUUID();
    const film = await sampleRecording("mov", { seconds: 4, said: { 1: marker }, hasPictures: true });
    const { sessionId } = await startProcessing(api, asFile(film, "IMG_0042.MOV"), { prompt: "Sum up" });
    expect(await api.waitUntilDone(`/process/${sessionId}`)).toMatchObject({ status: "completed" });
    const answered = (await modelRequestsWith(marker)).find(({ path }) => path === "/v1/chat/completions");
    expect(answered?.lastUserText).toContain(`kind="video"`);
  });

  test("sound again where the provider was away for a moment", async () => {
    const { api } = await newCaller();
    const speech = `[[fail:503:1]] ${randomUUID()}`;
    const { sessionId } = await startProcessing(api, asFile(sampleWav({ seconds: 1, speech }), "a.wav"));
    expect(await api.waitUntilDone(`/process/${sessionId}`)).toMatchObject({ status: "completed" });
  });
});

test.describe("POST /process ends as failed, without a charge, for", () => {
  const bomb = () =>
    buildZip(
      docxEntries("").map((entry) => (entry.name === "word/document.xml" ? { ...entry, content: BLANKS } : entry)),
    );
  const BLANKS = Buffer.alloc(100 * 1024 * 1024, " ");
  const FAILING: [what: string, make: () => Buffer][] = [
    ["a cut document", () => sampleDocx("Hello").subarray(0, 400)],
    ["an archive that grows without measure", bomb],
    ["sound at a server that does not transcribe", () => sampleWav({ seconds: 1, speech: "[[fail:404]]" })],
    ["sound that the provider cannot read", () => sampleWav({ seconds: 1, speech: "[[fail:400]]" })],
  ];
  for (const [what, make] of FAILING) {
    test(what, async () => {
      const { account, api } = await newCaller();
      const { sessionId } = await startProcessing(api, asFile(make(), "file.bin"));
      const record = await api.waitUntilDone(`/process/${sessionId}`);
      expect(record).toMatchObject({
        status: "failed",
        error: { code: "UNSUPPORTED_FILE", message: expect.stringMatching(/^\S.*\.$/) },
        creditsUsed: 0,
      });
      expect(await readCredits(account)).toEqual({ balance: 1_000, reserved: 0, ledger: 1_000, charges: 0 });
    });
  }
});

test("a quote of sound asks nobody for a transcript", async () => {
  const { api } = await newCaller();
  const marker = randomUUID();
  const file = asFile(sampleWav({ seconds: 60, speech: marker }), "a.wav");
  const { status, body } = await api.upload<{ tokensInEstimate: number }>("/process?dryRun=true", {
    file,
    prompt: "x",
  });
  expect(status).toBe(200);
  expect(body.tokensInEstimate).toBeGreaterThan(200);
  expect(await modelRequestsWith(marker)).toEqual([]);
});
