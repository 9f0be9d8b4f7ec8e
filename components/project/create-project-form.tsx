"use client";

import { ActionForm } from "@/components/ui/action-form";
import { TextInput } from "@/components/ui/fields";
import { useGoOn } from "@/components/ui/use-go-on";
import { useOnce } from "@/components/ui/use-once";
import type { ActionResult } from "@/lib/contracts/action-result";
import type { CreateProjectInput } from "@/lib/contracts/projects";

interface CreateProjectFormProps {
  create: (input: CreateProjectInput) => Promise<ActionResult<unknown>>;
  /** Where the new project's settings are; the panel shows that project by then. */
  doneHref: string;
}

/** Asks for a name, and goes to the new project. */
export function CreateProjectForm({ create, doneHref }: CreateProjectFormProps) {
  const goOn = useGoOn();
  const createOnce = useOnce(create);
  return (
    <ActionForm
      action={createOnce}
      isGuarded
      onDone={() => goOn(doneHref)}
      submitLabel="Create project"
      success="Project created. You are working in it now."
    >
      <TextInput
        autoFocus
        description="Such as a product of yours, or “Staging”."
        isRequired
        label="Name"
        maxLength={100}
        name="name"
      />
    </ActionForm>
  );
}
