import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Modal from '@cloudscape-design/components/modal';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import { useT } from '../i18n/use-t.ts';
import { ErrorView } from '../ui/error-reaction/error-view.tsx';
import { useFirstFocus } from '../ui/use-first-focus.ts';
import { isOnlyFieldIssues } from '../ui/field-issues.ts';

export interface FormDialogProps {
  readonly title: string;
  readonly submitLabel: string;
  readonly busy: boolean;
  readonly error: unknown;
  /** Fields of this form that show their own problems. */
  readonly fields: readonly string[];
  readonly size?: 'medium' | 'large';
  readonly disabled?: boolean;
  /** Without one, the reason is a required field without a value. */
  readonly disabledReason?: string;
  /** The request can be canceled. */
  readonly mayStop?: boolean;
  readonly onSubmit: () => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/**
 * A form in a dialog. The first field has the focus, Enter submits, and an error keeps what was
 * typed.
 */
export function FormDialog(props: FormDialogProps): ReactNode {
  const { title, submitLabel, busy, error, fields, onSubmit, onCancel, children } = props;
  const t = useT();
  const form = useFirstFocus<HTMLFormElement>();
  const showsError = error !== null && error !== undefined && !isOnlyFieldIssues(error, fields);
  return (
    <Modal
      visible
      size={props.size ?? 'medium'}
      header={title}
      closeAriaLabel={t('app.close')}
      onDismiss={onCancel}
      footer={
        <Box float="right">
          <SpaceBetween direction="horizontal" size="xs">
            <Button variant="link" onClick={onCancel} disabled={busy && !props.mayStop}>
              {t('app.cancel')}
            </Button>
            <Button
              variant="primary"
              onClick={onSubmit}
              loading={busy}
              disabled={props.disabled ?? false}
              disabledReason={props.disabledReason ?? t('app.form.incomplete')}
            >
              {submitLabel}
            </Button>
          </SpaceBetween>
        </Box>
      }
    >
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy && !props.disabled) onSubmit();
        }}
      >
        <SpaceBetween size="m">
          {children}
          {showsError ? <ErrorView error={error} place="alert" /> : null}
        </SpaceBetween>
        {/* Enter in a field submits only if the form has its own submit button. */}
        <input type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Modal>
  );
}
