import type { TestTemplateInput } from "@/lib/contracts/template-forms";
import type { Principal } from "@/lib/domain/principal";
import type { TemplateInput } from "@/lib/domain/template-call";
import { startChat } from "@/lib/services/chat/start-chat";
import { renderText } from "@/lib/services/templates/render-for-call";
import type { CallContext } from "@/lib/services/turns/start-turn";

/**
 * Has a template answered as a chat call would, without keeping it: a session of its own, charged like any other.
 * @returns the session whose stream has the answer
 * @throws AppError TEMPLATE_VARIABLE_MISSING, VALIDATION_FAILED, INSUFFICIENT_CREDITS, TOKEN_LIMIT_REACHED
 */
export async function testTemplate(
  principal: Principal,
  { values, message, ...template }: Omit<TestTemplateInput, "attempt">,
  call: CallContext,
): Promise<{ sessionId: string }> {
  const text = renderText(template, triedCall({ values, message }));
  const { sessionId } = await startChat(principal, { message: text }, call);
  return { sessionId };
}

/** What a trial gives to a template, as a chat call does. @param tried.message the empty text: none */
export function triedCall({ values, message }: Pick<TestTemplateInput, "values" | "message">): TemplateInput {
  return {
    inputNames: ["message"],
    isInputKept: true,
    templateVars: values,
    ...(message !== "" && { input: message }),
  };
}
