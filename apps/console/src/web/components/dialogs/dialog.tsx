import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { commonTexts } from '../../texts/common-texts.ts';
import { useTexts } from '../../texts/use-texts.ts';
import { Button, IconButton } from '../button.tsx';
import { ProblemNote } from '../states/page-state.tsx';

interface DialogProps {
  readonly title: string;
  /** The default is that it is open. */
  readonly isOpen?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly width?: 480 | 640 | 960;
  /** Whether it stays until the user has decided. */
  readonly isRequired?: boolean;
  /** Whether nothing below can be read. */
  readonly isCovering?: boolean;
}

const widths = { 480: 'max-w-[480px]', 640: 'max-w-[640px]', 960: 'max-w-[960px]' } as const;

export function Dialog({
  title,
  isOpen = true,
  onClose,
  children,
  width = 480,
  isRequired = false,
  isCovering = false,
}: DialogProps): ReactNode {
  const texts = useTexts(commonTexts);
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      isDismissable={!isRequired}
      isKeyboardDismissDisabled={isRequired}
      className={`fixed inset-0 z-50 flex items-start justify-center overflow-auto p-4 pt-[10vh] ${isCovering ? 'bg-ground' : 'bg-[rgb(8_19_32/0.45)]'}`}
    >
      <Modal className={`overlay w-full ${widths[width]}`}>
        <AriaDialog className="flex flex-col outline-none">
          <div className="flex h-11 items-center justify-between border-b px-4">
            <Heading slot="title" className="truncate text-lg font-semibold">
              {title}
            </Heading>
            {!isRequired && <IconButton icon="x" label={texts.close} onPress={onClose} />}
          </div>
          <div className="flex flex-col gap-4 p-4">{children}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

export function DialogActions({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className="flex justify-end gap-2">{children}</div>;
}

interface DialogEndProps {
  /** The words of the button that does it. */
  readonly action: string;
  readonly look?: 'primary' | 'danger';
  readonly isDisabled?: boolean;
  readonly act?: { readonly isPending: boolean; readonly error: Error | null };
  readonly onClose: () => void;
  /** The words of the button that closes. The default is "Cancel". */
  readonly close?: string;
  /** Without it, the button submits the form around it. */
  readonly onPress?: () => void;
}

/** Why the action of a dialog failed, and the buttons that do it or leave. */
export function DialogEnd(props: DialogEndProps): ReactNode {
  const { action, look = 'primary', isDisabled = false, act, onClose, close, onPress } = props;
  const texts = useTexts(commonTexts);
  return (
    <>
      <ProblemNote problem={act?.error ?? null} />
      <DialogActions>
        <Button onPress={onClose}>{close ?? texts.cancel}</Button>
        <Button
          type={onPress === undefined ? 'submit' : 'button'}
          look={look}
          isDisabled={isDisabled || act?.isPending === true}
          {...(onPress && { onPress })}
        >
          {action}
        </Button>
      </DialogActions>
    </>
  );
}
