import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import FormField from '@cloudscape-design/components/form-field';
import Input from '@cloudscape-design/components/input';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import { useState, type ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { useFirstFocus } from './use-first-focus.ts';

export interface ConfirmDialogProps {
  readonly title: string;
  /** The effect, duration, and number of devices. */
  readonly children: ReactNode;
  readonly confirmLabel: string;
  /**
   * The text to type before confirming a destructive action (serial number, count, name). Without
   * it, one press confirms.
   */
  readonly typed?: string;
  /** Confirming is disabled. The content states the reason. */
  readonly disabled?: boolean;
  /** The action is in progress: the dialog stays open with a loading button. */
  readonly busy?: boolean;
  readonly error?: ReactNode;
  readonly onConfirm: (typed: string) => void;
  readonly onCancel: () => void;
}

/**
 * The confirmation before a disruptive or destructive action. Mount it to open, unmount it to
 * close.
 */
export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { title, children, confirmLabel, typed, busy = false, error, onConfirm, onCancel } = props;
  const { disabled = false } = props;
  const t = useT();
  const form = useFirstFocus<HTMLFormElement>();
  const [text, setText] = useState('');
  const matches = typed === undefined || text.trim().toUpperCase() === typed.toUpperCase();
  const confirm = (): void => {
    if (matches && !busy && !disabled) onConfirm(text.trim());
  };
  return (
    <Modal
      visible
      header={title}
      closeAriaLabel={t('app.close')}
      onDismiss={onCancel}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onCancel} disabled={busy}>
              {t('app.cancel')}
            </Button>
            <Button
              variant="primary"
              onClick={confirm}
              disabled={!matches || disabled}
              {...(matches || typed === undefined
                ? {}
                : { disabledReason: t('app.confirm.type', { typed }) })}
              loading={busy}
            >
              {confirmLabel}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          confirm();
        }}
      >
        <SpaceBetween size="m">
          {typed === undefined ? (
            <Effect>{children}</Effect>
          ) : (
            <Alert type="warning">{children}</Alert>
          )}
          {typed === undefined ? null : (
            <FormField label={t('app.confirm.type', { typed })} stretch>
              <Input
                value={text}
                placeholder={typed}
                autoComplete={false}
                disabled={busy}
                onChange={({ detail }) => setText(detail.value)}
              />
            </FormField>
          )}
          {error}
        </SpaceBetween>
      </form>
    </Modal>
  );
}

/** Text in an element of its own, because the list of contents needs a key. */
const Effect = ({ children }: { readonly children: ReactNode }): ReactNode =>
  typeof children === 'string' ? <div>{children}</div> : children;
