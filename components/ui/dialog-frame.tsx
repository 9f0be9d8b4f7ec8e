"use client";

import { Modal, type UseOverlayStateReturn } from "@heroui/react";
import { createContext, type ReactNode, type SyntheticEvent, useContext, useEffect, useId } from "react";
import { useSecondClick } from "@/components/ui/second-click";

export interface DialogFrameProps {
  /** From HeroUI's `useOverlayState`. */
  state: UseOverlayStateReturn;
  /** `{name}` in it stands for `name`. */
  title: string;
  /** What somebody else called the thing that it is about: it is read in its own direction. */
  name?: string;
  role?: "dialog" | "alertdialog";
  /** Holds what would be lost: neither Esc nor a click beside it closes it, only a button of its own. */
  isLocked?: boolean;
  /** Whether a click beside it leaves it open. */
  isWritten?: boolean;
  /** `Modal.Body` and `DialogButtons`, in a form where there is one. */
  children: ReactNode;
}

const IsOpenContext = createContext(true);

/**
 * Whether the dialog around this is open, not just fading out: what is said in it then is seen by nobody.
 * @param isOpen for what stands around a dialog of its own
 */
export function useIsDialogOpen(isOpen?: boolean): boolean {
  const isAroundOpen = useContext(IsOpenContext);
  return isOpen ?? isAroundOpen;
}

const TextIdContext = createContext<string | undefined>(undefined);

/** In a question: what comes of it. Screen readers read it out with the title, for the focus goes on to a field or a button. */
export function DialogText({ children }: { children: ReactNode }) {
  return (
    <div className="text-pretty text-muted [overflow-wrap:anywhere]" id={useContext(TextIdContext)}>
      {children}
    </div>
  );
}

/** What stands over the page: the focus stays in it, Esc closes it unless it is locked. */
export function DialogFrame(props: DialogFrameProps) {
  const { state, title, name, role = "dialog", isLocked = false, isWritten = false, children } = props;
  const textId = useId();
  const isSecondClick = useSecondClick(state.isOpen);
  return (
    // Locked, it still takes Esc: what lies below, a side panel, would close and take the dialog along.
    <Modal.Backdrop
      isOpen={state.isOpen}
      onOpenChange={isLocked ? undefined : state.setOpen}
      shouldCloseOnInteractOutside={() => !isWritten && !isSecondClick()}
    >
      <Modal.Container placement="center" size="md">
        <Modal.Dialog
          aria-describedby={role === "alertdialog" ? textId : undefined}
          className="rounded-xl"
          data-dialog=""
          role={role}
        >
          {isLocked ? null : <Modal.CloseTrigger aria-label="Close" />}
          <Modal.Header>
            <Modal.Heading className="pr-6 font-semibold text-base [overflow-wrap:anywhere]">
              {name === undefined ? title : named(title, name)}
            </Modal.Heading>
          </Modal.Header>
          <IsOpenContext value={state.isOpen}>
            <div className="contents" onSubmitCapture={state.isOpen ? undefined : ignore}>
              <TextIdContext value={textId}>{children}</TextIdContext>
              <FocusInView />
            </div>
          </IsOpenContext>
        </Modal.Dialog>
      </Modal.Container>
    </Modal.Backdrop>
  );
}

function named(title: string, name: string): ReactNode {
  const [before, after] = title.split("{name}");
  return (
    <>
      {before}
      <bdi>{name}</bdi>
      {after}
    </>
  );
}

/**
 * A field that takes the focus by itself does so without scrolling: in a window lower than the question it would be out of
 * sight, below the question's text. Stands after the fields.
 */
function FocusInView() {
  useEffect(() => {
    document.activeElement?.scrollIntoView({ block: "nearest" });
  }, []);
  return null;
}

/** While it fades out, the form that did its one thing still has the keyboard: Enter again would do it twice. */
function ignore(event: SyntheticEvent) {
  event.preventDefault();
  event.stopPropagation();
}

/** At the end of a dialog: the ways out of it, the one that does what it is for last. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <Modal.Footer className="flex-wrap">{children}</Modal.Footer>;
}
