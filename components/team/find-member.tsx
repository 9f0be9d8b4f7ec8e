"use client";

import { Input, TextField } from "@heroui/react";
import { useRef } from "react";
import { formatCount, formatNumber } from "@/components/ui/format-number";
import { MAX_LOOKED_FOR_UNITS } from "@/components/ui/looked-for";
import { useEarlyInput } from "@/components/ui/use-early-input";

interface FindMemberProps {
  word: string;
  onChange: (word: string) => void;
  /** How many have the word. */
  found: number;
  /** How many there are. */
  of: number;
}

/** A word to find members of a large team by; the list below changes while it is typed. */
export function FindMember({ word, onChange, found, of }: FindMemberProps) {
  const form = useRef<HTMLFormElement>(null);
  useEarlyInput(form);
  return (
    <search className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
      <form className="w-full sm:w-80" method="post" onSubmit={(event) => event.preventDefault()} ref={form}>
        <TextField
          aria-label="Find a member"
          fullWidth
          maxLength={MAX_LOOKED_FOR_UNITS}
          onChange={onChange}
          value={word}
        >
          <Input autoComplete="off" dir="auto" placeholder="Find by name or e-mail" spellCheck={false} />
        </TextField>
      </form>
      <p aria-live="polite" className="text-muted">
        {wordsFor(found, of)}
      </p>
    </search>
  );
}

function wordsFor(found: number, of: number): string {
  if (found === 0) return "Nobody has this in their name or e-mail.";
  const all = formatCount(of, "member");
  return found === of ? all : `${formatNumber(found)} of ${all}`;
}
