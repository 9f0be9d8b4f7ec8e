"use client";

import { Button } from "@heroui/react";
import { type ReactNode, useState } from "react";
import { AuthNotice } from "@/components/auth/auth-frame";
import { signInWords } from "@/components/auth/sign-in-words";
import { wayToService } from "@/components/auth/way-to-service";
import { leaveFor } from "@/components/ui/leave-for";
import { saidAnew } from "@/components/ui/said-anew";

interface IdentityButtonsProps {
  /** Those that the operator has set up. */
  providers: { id: string; name: string }[];
  /** Where to go then: a path of ours. */
  next: string;
}

/** Sign-in through other services. */
export function IdentityButtons({ providers, next }: IdentityButtonsProps) {
  const [chosen, setChosen] = useState<string>();
  const [problem, setProblem] = useState<ReactNode>();
  if (providers.length === 0) return null;

  const goTo = async (id: string) => {
    setChosen(id);
    setProblem(undefined);
    const way = await wayToService(id, next);
    if ("href" in way) await leaveFor(way.href);
    else setProblem(saidAnew(signInWords(way.outcome)));
    setChosen(undefined);
  };
  return (
    <div className="mb-6 grid gap-2.5 border-separator border-b pb-6">
      {problem ? <AuthNotice tone="danger">{problem}</AuthNotice> : null}
      {providers.map(({ id, name }) => (
        <Button fullWidth isPending={chosen === id} key={id} onPress={() => void goTo(id)} variant="outline">
          Continue with {name}
        </Button>
      ))}
    </div>
  );
}
