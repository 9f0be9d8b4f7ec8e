"use client";

import { Button, Drawer, useOverlayState } from "@heroui/react";
import { Menu } from "lucide-react";
import type { ReactNode } from "react";
import { useCloseOnLeave } from "@/components/shell/use-close-on-leave";
import { ignoreSecondClick } from "@/components/ui/second-click";

/** The navigation on screens that have no room for it; it closes when a place was chosen. */
export function NavigationDrawer({ children }: { children: ReactNode }) {
  const drawer = useOverlayState();
  useCloseOnLeave(drawer.close);
  return (
    <div className="lg:hidden">
      <Button
        aria-label="Open the navigation"
        className="size-8 min-w-8"
        isIconOnly
        onPress={drawer.open}
        size="sm"
        variant="ghost"
      >
        <Menu aria-hidden="true" className="size-4" />
      </Button>
      <Drawer.Backdrop isOpen={drawer.isOpen} onOpenChange={drawer.setOpen}>
        <Drawer.Content placement="left">
          <Drawer.Dialog aria-label="Navigation" className="w-[280px] overflow-y-auto rounded-none bg-surface p-0">
            <Drawer.CloseTrigger aria-label="Close the navigation" />
            <div className="contents" onClickCapture={ignoreSecondClick}>
              {children}
            </div>
          </Drawer.Dialog>
        </Drawer.Content>
      </Drawer.Backdrop>
    </div>
  );
}
