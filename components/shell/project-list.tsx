"use client";

import { Input, TextField } from "@heroui/react";
import { Check } from "lucide-react";
import { useState } from "react";

/** An account of the reader with its projects. */
export interface SwitchAccount {
  id: string;
  companyName: string;
  projects: { id: string; name: string }[];
}

interface ProjectListProps {
  accounts: SwitchAccount[];
  /** The one that is shown now. */
  projectId: string;
  choose: (projectId: string) => void;
}

/** More than these are looked through by a word. */
const MOST_AT_A_GLANCE = 10;

/** The reader's projects by account, to choose one of. */
export function ProjectList({ accounts, projectId, choose }: ProjectListProps) {
  const [word, setWord] = useState("");
  const isLong = accounts.flatMap(({ projects }) => projects).length > MOST_AT_A_GLANCE;
  const found = accounts.map((account) => projectsWith(account, word)).filter(({ projects }) => projects.length > 0);
  return (
    <>
      {isLong ? (
        <TextField
          aria-label="Find a project"
          autoFocus={hasKeyboard()}
          // As wide for one that is found as for all of them.
          className="w-[min(24rem,calc(100vw-2.5rem))]"
          onChange={setWord}
          value={word}
        >
          <Input autoComplete="off" dir="auto" placeholder="Find a project" spellCheck={false} />
        </TextField>
      ) : null}
      {found.map((account) => (
        <AccountProjects account={account} choose={choose} key={account.id} projectId={projectId} />
      ))}
      <p aria-live="polite" className="px-2 py-1 text-muted empty:sr-only">
        {found.length === 0 ? "No project has this in its name." : ""}
      </p>
    </>
  );
}

/** On a phone the keyboard would cover the list that was asked for. */
const hasKeyboard = () => matchMedia("(pointer: fine)").matches;

/** Of an account whose own name has the word, all. */
function projectsWith(account: SwitchAccount, word: string): SwitchAccount {
  const has = (name: string) => name.toLocaleLowerCase().includes(word.trim().toLocaleLowerCase());
  return has(account.companyName)
    ? account
    : { ...account, projects: account.projects.filter(({ name }) => has(name)) };
}

const intoView = (shown: HTMLElement | null) => shown?.scrollIntoView({ block: "nearest" });

function AccountProjects({
  account: { companyName, projects },
  projectId,
  choose,
}: Omit<ProjectListProps, "accounts"> & { account: SwitchAccount }) {
  return (
    <div>
      <p className="truncate px-2 py-1 text-left text-muted text-xs" dir="auto">
        {companyName}
      </p>
      <ul>
        {projects.map(({ id, name }) => (
          <li key={id}>
            <button
              aria-current={id === projectId ? "true" : undefined}
              className="flex min-h-8 w-full items-center gap-2 rounded-md px-2 py-1.5 text-left hover:bg-default"
              onClick={() => choose(id)}
              ref={id === projectId ? intoView : undefined}
              type="button"
            >
              <span className="wrap-anywhere min-w-0 flex-1" dir="auto">
                {name}
              </span>
              {id === projectId ? <Check aria-hidden="true" className="size-4 shrink-0" /> : null}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
