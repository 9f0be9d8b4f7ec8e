"use client";

import { ToggleButton, ToggleButtonGroup } from "@heroui/react";
import { Monitor, Moon, Sun } from "lucide-react";
import { useSyncExternalStore } from "react";
import { THEME_STORAGE_KEY } from "@/components/shell/theme-script";

const CHOICES = [
  { id: "system", label: "Theme of the system", Icon: Monitor },
  { id: "light", label: "Light theme", Icon: Sun },
  { id: "dark", label: "Dark theme", Icon: Moon },
] as const;

type ThemeChoice = (typeof CHOICES)[number]["id"];

/** Lets the reader choose light, dark or what the system says; the browser remembers it. */
export function ThemeToggle() {
  const choice = useSyncExternalStore(subscribe, readChoice, () => "system" as const);
  return (
    <ToggleButtonGroup
      aria-label="Theme"
      className="rounded-3xl border border-border p-0.5"
      disallowEmptySelection
      isDetached
      onSelectionChange={(keys) => saveChoice([...keys][0] as ThemeChoice)}
      selectedKeys={[choice]}
      selectionMode="single"
      size="sm"
    >
      {CHOICES.map(({ id, label, Icon }) => (
        <ToggleButton
          aria-label={label}
          className="size-7 min-w-7 rounded-md bg-transparent p-0 text-muted data-[selected=true]:bg-default data-[selected=true]:text-foreground"
          id={id}
          isIconOnly
          key={id}
        >
          <Icon aria-hidden="true" className="size-3.5" />
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}

/** What this browser's reader chose. */
export function readChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(THEME_STORAGE_KEY);
    return stored === "light" || stored === "dark" ? stored : "system";
  } catch {
    return "system";
  }
}

function saveChoice(choice: ThemeChoice) {
  try {
    if (choice === "system") localStorage.removeItem(THEME_STORAGE_KEY);
    else localStorage.setItem(THEME_STORAGE_KEY, choice);
  } catch {
    // Storage is switched off: the theme of the system stays.
  }
  dispatchEvent(new Event("themechoice"));
}

function subscribe(notify: () => void) {
  addEventListener("storage", notify);
  addEventListener("themechoice", notify);
  return () => {
    removeEventListener("storage", notify);
    removeEventListener("themechoice", notify);
  };
}
