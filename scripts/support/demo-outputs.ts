import type { ChatCompletionRequest, ToolCall } from "@copilotkit/aimock";
import { splitBlocks } from "@/lib/domain/prompt-blocks";

/**
 * What the demo model calls a tool for: nobody thinks here, so plain words in an instruction have to do. Null: it answers
 * in text, also when it has been refused a call, or a video is asked for, which it cannot make.
 */
export function demoToolCall(request: Pick<ChatCompletionRequest, "tools">, lastUserText: string): ToolCall | null {
  const { rest } = splitBlocks(lastUserText);
  const instruction = rest.slice(0, MAX_INSTRUCTION_CHARACTERS).trim();
  const isOffered = (name: string) => request.tools?.some((tool) => tool.function?.name === name) === true;
  if (isOffered("create_image") && ASKS_FOR_PICTURE.test(instruction)) {
    return { name: "create_image", arguments: JSON.stringify({ prompt: instruction }) };
  }
  if (isOffered("create_speech") && ASKS_FOR_SPEECH.test(instruction)) {
    return { name: "create_speech", arguments: JSON.stringify({ text: instruction }) };
  }
  return null;
}

const MAX_INSTRUCTION_CHARACTERS = 1_000;
const MAKE = "(?:draw|paint|sketch|create|make|generate|design)";
const ASKS_FOR_PICTURE = new RegExp(
  `\\b(?:draw|paint|sketch)\\s+(?:me\\s+)?(?:a|an|the)\\b|\\b${MAKE}\\b.{0,60}\\b(?:image|picture|drawing|illustration|logo|poster)\\b`,
  "is",
);
const ASKS_FOR_SPEECH = new RegExp(
  `\\b(?:read|say|speak)\\b.{0,200}\\b(?:aloud|out loud)\\b|\\b${MAKE}\\b.{0,60}\\b(?:speech|audio|recording|voice-?over)\\b`,
  "is",
);

/** A picture that nobody can take for a model's: a landscape of a few shapes with DEMO across it, as PNG. */
export async function demoPicture(): Promise<Buffer> {
  const { createCanvas } = await import("@napi-rs/canvas");
  const canvas = createCanvas(1024, 1024);
  const context = canvas.getContext("2d");
  const fill = (colour: string, points: [x: number, y: number][]) => {
    context.fillStyle = colour;
    context.beginPath();
    for (const [x, y] of points) context.lineTo(x, y);
    context.fill();
  };
  fill("#dbe7f5", [
    [0, 0],
    [1024, 0],
    [1024, 1024],
    [0, 1024],
  ]);
  context.fillStyle = "#f4c95d";
  context.beginPath();
  context.arc(770, 250, 110, 0, 2 * Math.PI);
  context.fill();
  fill("#7d93b2", [
    [0, 760],
    [330, 330],
    [620, 760],
  ]);
  fill("#5b7399", [
    [360, 780],
    [700, 420],
    [1024, 780],
  ]);
  fill("#3f7d58", [
    [0, 740],
    [1024, 690],
    [1024, 1024],
    [0, 1024],
  ]);
  // Letters of squares: a machine without fonts shows them too.
  context.fillStyle = "#ffffff";
  for (const [index, letter] of LETTERS.entries()) {
    for (const [row, line] of letter.entries()) {
      for (const [column, mark] of [...line].entries()) {
        if (mark === "#") context.fillRect(112 + index * 210 + column * 34, 800 + row * 34, 34, 34);
      }
    }
  }
  return canvas.encode("png");
}

const LETTERS = [
  ["####.", "#...#", "#...#", "#...#", "####."],
  ["#####", "#....", "####.", "#....", "#####"],
  ["#...#", "##.##", "#.#.#", "#...#", "#...#"],
  [".###.", "#...#", "#...#", "#...#", ".###."],
];

const SAMPLE_RATE = 16_000;
const NOTES_HERTZ = [523, 659, 784];
const SECONDS_PER_NOTE = 0.35;

/** Three rising notes instead of speech, as WAV. */
export function demoSound(): Buffer {
  const perNote = Math.round(SAMPLE_RATE * SECONDS_PER_NOTE);
  const samples = Buffer.alloc(perNote * NOTES_HERTZ.length * 2);
  NOTES_HERTZ.forEach((hertz, note) => {
    for (let index = 0; index < perNote; index++) {
      const fade = Math.sin((Math.PI * index) / perNote);
      const value = Math.sin((2 * Math.PI * hertz * index) / SAMPLE_RATE) * fade * 8_000;
      samples.writeInt16LE(Math.round(value), (note * perNote + index) * 2);
    }
  });
  return Buffer.concat([wavHead(samples.length), samples]);
}

function wavHead(bytes: number): Buffer {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(36 + bytes, 4);
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(SAMPLE_RATE, 24);
  head.writeUInt32LE(SAMPLE_RATE * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(bytes, 40);
  return head;
}
