import { afterEach } from "vitest";
import type { ModelRequest } from "@/e2e/support/model-server-journal";
import type { TestAccount } from "@/e2e/support/test-account";
import { chatTurn } from "@/e2e/support/test-turns";
import { balanceOf } from "@/e2e/support/turn-reads";
import { type TurnStage, useTurnStage } from "@/e2e/support/turn-stage";
import { db } from "@/lib/db/pool";
import type { TurnInput } from "@/lib/services/turns/turn-input";

/** A model that the catalog does not know has a window of 32,768 tokens. */
export const MODEL = "small-window";
const PARAGRAPH = "The harbour master wrote down each ship that came in, its cargo and its port. ".repeat(12);

/** A database and a model's server, which forgets between tests, for texts beyond the model's window. */
interface PartsStage extends TurnStage {
  /** Notes for parts and joins, an answer at the end. */
  answering(notes?: string, more?: (request: ModelRequest) => object): void;
}

export function usePartsStage(): PartsStage {
  const stage = useTurnStage({ DEFAULT_MODEL: MODEL, MODEL_IDLE_TIMEOUT_SECONDS: "5" });
  afterEach(() => {
    stage.model.setBehaviour({});
    stage.model.journal.length = 0;
  });
  return {
    get model() {
      return stage.model;
    },
    answering: (notes = "Notes.", more = () => ({})) =>
      stage.model.setBehaviour((request) => ({
        answer: isAnswer(request) ? "The facts are these." : notes,
        ...more(request),
      })),
  };
}

/** So many pages, each with its number in it. */
export function pages(count: number): string {
  return Array.from({ length: count }, (_, index) => `[Page ${index + 1}]\nFact ${index + 1}. ${PARAGRAPH}`).join(
    "\n\n",
  );
}

export const reading = (fileContent: string, more: Partial<TurnInput> = {}) =>
  chatTurn({ input: "List the facts.", fileContent, ...more });

export const partOf = ({ lastUserText }: ModelRequest) => /note="part (\d+) of (\d+)/.exec(lastUserText);
export const isAnswer = ({ lastUserText }: ModelRequest) => lastUserText.includes("notes from all parts of a document");

export async function partRows(turnId: string) {
  const { rows } = await db().query("SELECT * FROM turn_parts WHERE turn_id = $1 ORDER BY level, position", [turnId]);
  return rows;
}

/** The account's balance, with the number of its charges. */
export async function booksOf(account: TestAccount) {
  const { rows } = await db().query(
    "SELECT count(*) AS charges FROM ledger_entries WHERE account_id = $1 AND kind = 'charge'",
    [account.accountId],
  );
  return { ...(await balanceOf(account)), charges: rows[0].charges as number };
}
