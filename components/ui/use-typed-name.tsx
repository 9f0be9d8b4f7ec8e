import { type ReactNode, useState } from "react";
import { isTypedName } from "@/components/ui/is-typed-name";
import { TypedName } from "@/components/ui/typed-name";

interface TypedNameState {
  /** Whether the name was typed, or none has to be. */
  isNamed: boolean;
  /** Where it is typed; null: nowhere. */
  field: ReactNode;
  /** For a dialog that is opened anew. */
  forget: () => void;
}

/** Whether a thing's name was typed, for what must not happen by a slip of the hand. */
export function useTypedName(name: string | undefined): TypedNameState {
  const [typed, setTyped] = useState("");
  return {
    isNamed: isTypedName(typed, name),
    field: name === undefined ? null : <TypedName name={name} onChange={setTyped} value={typed} />,
    forget: () => setTyped(""),
  };
}
