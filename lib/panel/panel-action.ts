import { z } from "zod";
import type { ActionResult } from "@/lib/contracts/action-result";
import { plainText } from "@/lib/contracts/edit-base";
import { type ActionRule, type PanelActionId, ruleOf, type StaffActionId } from "@/lib/domain/panel-actions";
import { failureOf, parseInput } from "@/lib/panel/action-failure";
import { actorOf } from "@/lib/panel/current-person";
import {
  guardOrigin,
  guardPanel,
  guardPerson,
  guardStaff,
  Refusal,
  requireFreshSignIn,
} from "@/lib/panel/guard-action";
import { beginWork } from "@/lib/panel/page-answer";
import type { PanelContext } from "@/lib/panel/panel-context";
import type { Actor } from "@/lib/services/accounts/record-audit";
import type { PersonSession } from "@/lib/services/people/person-session";

/** A server action: never throws but for Next's own signals; says what went wrong in words for the reader. */
export type ServerAction<Input, Data> = (
  ...input: undefined extends Input ? [input?: Input] : [input: Input]
) => Promise<ActionResult<Data>>;

const reasonField = plainText(z.string().trim().min(3).max(500));

/**
 * An action of the panel, for `actions.ts` files: checks where the call comes from, the session, the role, a fresh
 * sign-in where the table asks for one, and the input; then runs the handler, which calls services.
 */
export function panelAction<Schema extends z.ZodType, Data>(
  id: PanelActionId,
  schema: Schema,
  handler: (context: PanelContext, input: z.output<Schema>) => Promise<Data>,
): ServerAction<z.input<Schema>, Data> {
  return (...[raw]: unknown[]) =>
    answer(id, async () => {
      const context = await guardPanel(id);
      return run(schema, raw, (input) => handler(context, input));
    });
}

/** Who acts for staff; `reason` where the table asks for one (else it is empty). */
export interface StaffContext {
  user: PersonSession["user"];
  actor: Actor;
  reason: string;
}

/** An action of staff: as `panelAction`. Where the table asks for a reason, the input carries it as `reason`. */
export function staffAction<Schema extends z.ZodType<object>, Data>(
  id: StaffActionId,
  schema: Schema,
  handler: (context: StaffContext, input: z.output<Schema>) => Promise<Data>,
): ServerAction<z.input<Schema> & { reason?: string }, Data> {
  return (...[raw]: unknown[]) =>
    answer(id, async () => {
      const person = await guardStaff(id);
      // What is no object has no fields, and may throw at the first look.
      const { reason: given, ...rest }: { reason?: unknown } = typeof raw === "object" && raw !== null ? raw : {};
      const wanted = z.object({ reason: ruleOf(id).needsReason ? reasonField : z.undefined().transform(() => "") });
      const parsed = parseInput(wanted, { reason: given });
      if ("failure" in parsed) throw new Refusal(parsed.failure);
      const context = { user: person.user, actor: await actorOf(person), reason: parsed.input.reason };
      return run(schema, rest, (input) => handler(context, input));
    });
}

/** An action on the person's own sign-in (password, sessions, second factor); of whoever is signed in, staff or not. */
export function personAction<Schema extends z.ZodType, Data>(
  name: `person.${string}`,
  schema: Schema,
  handler: (person: PersonSession & { actor: Actor }, input: z.output<Schema>) => Promise<Data>,
  conditions: Pick<ActionRule, "needsFreshSignIn"> = {},
): ServerAction<z.input<Schema>, Data> {
  return (...[raw]: unknown[]) =>
    answer(name, async () => {
      const person = await guardPerson();
      requireFreshSignIn(conditions, person);
      return run(schema, raw, async (input) => handler({ ...person, actor: await actorOf(person) }, input));
    });
}

/** An action of people who are not signed in: sign-up, a new password. Services limit how often. */
export function publicAction<Schema extends z.ZodType, Data>(
  name: `public.${string}`,
  schema: Schema,
  handler: (input: z.output<Schema>) => Promise<Data>,
): ServerAction<z.input<Schema>, Data> {
  return (...[raw]: unknown[]) => answer(name, () => run(schema, raw, handler));
}

async function answer<Data>(name: string, work: () => Promise<Data>): Promise<ActionResult<Data>> {
  beginWork();
  try {
    await guardOrigin();
    return { ok: true, data: await work() };
  } catch (error) {
    return error instanceof Refusal ? error.failure : failureOf(error, name);
  }
}

async function run<Schema extends z.ZodType, Data>(
  schema: Schema,
  raw: unknown,
  handler: (input: z.output<Schema>) => Promise<Data>,
): Promise<Data> {
  const parsed = parseInput(schema, raw);
  if ("failure" in parsed) throw new Refusal(parsed.failure);
  return handler(parsed.input);
}
