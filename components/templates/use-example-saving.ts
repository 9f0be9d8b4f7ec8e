import { useState } from "react";
import type { TemplateExamples } from "@/components/templates/template-examples";
import { isSameTried, type TrialFields } from "@/components/templates/use-trial-fields";
import { showFailure, showSuccess } from "@/components/ui/toasts";
import { useAction } from "@/components/ui/use-action";
import type { SaveResult } from "@/lib/contracts/edit-base";
import type { ExampleDraft, TemplateExample } from "@/lib/contracts/template-examples";

interface Conflict {
  theirs: TemplateExample;
  mine: ExampleDraft;
}

/** Saves what is filled in to the chosen example, also over what somebody else saved meanwhile, once the reader has seen that. */
export function useExampleSaving({ templateId, save }: TemplateExamples, fields: TrialFields) {
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const settle = (result: SaveResult<TemplateExample>, mine: ExampleDraft) => {
    const current = result.outcome === "saved" ? result.saved : result.current;
    // What stands there may be the reader's own, of a save whose answer was lost.
    const isMine = current.name === mine.name && isSameTried(current, mine);
    if (result.outcome === "conflict" && !isMine) return setConflict({ theirs: current, mine });
    showSuccess("Example saved");
    setConflict(null);
    fields.rebase(current);
  };
  const send = ({ id: exampleId, updatedAt: base }: TemplateExample, draft: ExampleDraft) =>
    save({ templateId, exampleId, base, draft });
  const { run, isPending } = useAction(
    async ({ over, mine }: { over: TemplateExample; mine: ExampleDraft }) => {
      const result = await send(over, mine);
      return result.ok ? { ...result, data: { result: result.data, mine } } : result;
    },
    { onDone: ({ result, mine }) => settle(result, mine), onGone: () => sayGone(fields) },
  );
  return {
    isPending,
    conflict,
    closeConflict: () => setConflict(null),
    saveFields: (chosen: TemplateExample) => run({ over: chosen, mine: { name: chosen.name, ...fields.tried } }),
    saveMine: ({ theirs, mine }: Conflict) => run({ over: theirs, mine }),
    takeTheirs: ({ theirs }: Conflict) => {
      setConflict(null);
      fields.choose(theirs);
    },
    rename: (chosen: TemplateExample, name: string) =>
      send(chosen, { name, values: chosen.values, message: chosen.message }),
    /** The new name is put on what somebody else made of the example meanwhile, and undoes nothing of it. */
    renamed: (result: SaveResult<TemplateExample>, name: string) =>
      settle(result, { ...triedOf(result.outcome === "saved" ? result.saved : result.current), name }),
  };
}

/** Not by drawing the page anew: where the template is gone too, what is written in its editor would go along. */
function sayGone(fields: TrialFields) {
  fields.rebase(null);
  showFailure("Somebody deleted this example meanwhile", "What you filled in is still here: save it as an example.");
}

function triedOf({ values, message }: TemplateExample) {
  return { values, message };
}
