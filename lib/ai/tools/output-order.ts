import { z } from "zod";
import { cleanText } from "@/lib/domain/chunk-text";
import { outputCredits } from "@/lib/domain/output-catalog";

/** What providers take as one text to speak. */
const MAX_SPOKEN_CHARACTERS = 4_096;
const MAX_PROMPT_CHARACTERS = 8_000;

/** The order is kept in the database, which does not take every text that JSON can write. */
const text = (maxCharacters: number) =>
  z.string().transform(cleanText).pipe(z.string().trim().min(1).max(maxCharacters));
const shape = z.enum(["square", "landscape", "portrait"]);

/** What the model orders with each tool: its arguments, held to what providers take. */
export const TOOL_ARGUMENTS = {
  create_image: z.strictObject({ prompt: text(MAX_PROMPT_CHARACTERS), shape: shape.default("square") }),
  create_speech: z.strictObject({
    text: text(MAX_SPOKEN_CHARACTERS),
    manner: text(500).optional(),
  }),
  create_video: z.strictObject({
    prompt: text(MAX_PROMPT_CHARACTERS),
    seconds: z
      .union([z.literal(4), z.literal(8), z.literal(12), z.enum(["4", "8", "12"]).transform(Number)])
      .default(4),
    shape: shape.exclude(["square"]).default("landscape"),
  }),
} as const;

export type ToolName = keyof typeof TOOL_ARGUMENTS;

/** An order that can be carried out: the tool, its arguments, and the model that makes it. */
export type OutputOrder =
  | ({ tool: "create_image"; model: string } & z.output<(typeof TOOL_ARGUMENTS)["create_image"]>)
  | ({ tool: "create_speech"; model: string } & z.output<(typeof TOOL_ARGUMENTS)["create_speech"]>)
  | ({ tool: "create_video"; model: string } & z.output<(typeof TOOL_ARGUMENTS)["create_video"]>);

/** The type of what a tool makes, as records show it. */
export const OUTPUT_TYPE_OF = { create_image: "image", create_speech: "audio", create_video: "video" } as const;

/** What an order costs, in credits. */
export function creditsOfOrder(order: OutputOrder): number {
  const { model } = order;
  if (order.tool === "create_image") return outputCredits({ outputType: "image", model });
  if (order.tool === "create_speech")
    return outputCredits({ outputType: "audio", model, characters: order.text.length });
  return outputCredits({ outputType: "video", model, seconds: order.seconds });
}
