"use client";

import { Button } from "@heroui/react";
import { signIn } from "next-auth/react";
import { useState } from "react";

interface IdentityButtonsProps {
  /** Those that the operator has set up. */
  providers: { id: string; name: string }[];
  /** Where to go then: a path of ours. */
  next: string;
}

/** Sign-in through other services. */
export function IdentityButtons({ providers, next }: IdentityButtonsProps) {
  const [chosen, setChosen] = useState<string>();
  if (providers.length === 0) return null;
  return (
    <div className="mb-6 grid gap-2.5 border-separator border-b pb-6">
      {providers.map(({ id, name }) => (
        <Button
          fullWidth
          isPending={chosen === id}
          key={id}
          onPress={() => {
            setChosen(id);
            void signIn(id, { callbackUrl: next });
          }}
          variant="outline"
        >
          Continue with {name}
        </Button>
      ))}
    </div>
  );
}
