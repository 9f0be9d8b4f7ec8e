import type { ToolCall, ToolDefinition } from "@/lib/ai/model-message";
import { type OutputOrder, TOOL_ARGUMENTS, type ToolName } from "@/lib/ai/tools/output-order";
import { env } from "@/lib/env";

/** The tools that the operator's settings allow, as the model is told of them. Few words: every turn pays for them. */
export function offeredTools(): ToolDefinition[] {
  return TOOL_NAMES.filter((name) => modelOf(name) !== null).map((name) => DEFINITIONS[name]);
}

/**
 * Takes the calls of one answer: the first that can be carried out is the turn's output, and the one output that a turn
 * has. Why the others are refused goes back to the model.
 */
export function pickOrder(calls: readonly ToolCall[]): { order: OutputOrder } | { refusals: string[] } {
  const refusals: string[] = [];
  for (const call of calls) {
    const read = readCall(call);
    if (typeof read !== "string") return { order: read };
    refusals.push(read);
  }
  return { refusals };
}

/** The order, or what is wrong with the call. */
function readCall({ name, argumentsText }: ToolCall): OutputOrder | string {
  if (!isToolName(name)) return "There is no such tool.";
  const model = modelOf(name);
  if (model === null) return "There is no such tool.";
  const parsed = TOOL_ARGUMENTS[name].safeParse(parseJson(argumentsText));
  if (parsed.success) return { tool: name, model, ...parsed.data } as OutputOrder;
  const faults = parsed.error.issues.slice(0, MAX_NAMED_FAULTS).map((issue) => {
    const field = issue.path.join(".");
    return field === "" ? issue.message : `${field}: ${issue.message}`;
  });
  return `Nothing was made. The arguments are wrong: ${faults.join("; ")}. Correct them, or answer in text.`;
}

const MAX_NAMED_FAULTS = 5;
const TOOL_NAMES = Object.keys(TOOL_ARGUMENTS) as ToolName[];

function isToolName(name: string): name is ToolName {
  return Object.hasOwn(TOOL_ARGUMENTS, name);
}

function modelOf(name: ToolName): string | null {
  const { IMAGE_MODEL, SPEECH_MODEL, VIDEO_MODEL } = env();
  return { create_image: IMAGE_MODEL, create_speech: SPEECH_MODEL, create_video: VIDEO_MODEL }[name];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const PROMPT = { type: "string", description: "All that must be in it, in full." } as const;

const DEFINITIONS: Record<ToolName, ToolDefinition> = {
  create_image: define(
    "create_image",
    "Makes one picture, which is then the whole answer. Only when the user asks for a picture.",
    {
      required: ["prompt"],
      properties: { prompt: PROMPT, shape: { type: "string", enum: ["square", "landscape", "portrait"] } },
    },
  ),
  create_speech: define(
    "create_speech",
    "Speaks a text, at most 4096 characters; the recording is then the whole answer. Only when the user asks for sound.",
    {
      required: ["text"],
      properties: {
        text: { type: "string", description: "The words to speak, and nothing else." },
        manner: { type: "string", description: "Tone and pace." },
      },
    },
  ),
  create_video: define(
    "create_video",
    "Makes one short video, which is then the whole answer. Only when the user asks for a video.",
    {
      required: ["prompt"],
      properties: {
        prompt: PROMPT,
        seconds: { type: "integer", enum: [4, 8, 12] },
        shape: { type: "string", enum: ["landscape", "portrait"] },
      },
    },
  ),
};

function define(name: ToolName, description: string, parameters: object): ToolDefinition {
  return { name, description, parameters: { type: "object", additionalProperties: false, ...parameters } };
}
