import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { Consequence } from '@deviceportal/contract/permissions';
import type { RunGuard } from '@deviceportal/contract/run-rules';
import { useT } from '../../i18n/use-t.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { ErrorView } from '../../ui/error-reaction/error-view.tsx';

export interface ConfirmRunProps {
  readonly command: string;
  readonly consequence: Consequence;
  /** A serial number, a name, or the number of devices. */
  readonly target: string | number;
  readonly duration: string | null;
  /** The devices, if there are several. */
  readonly devices?: ReactNode;
  /** The requirement of the run policy. */
  readonly guard?: RunGuard | undefined;
  /** The target is empty or not resolved yet. */
  readonly disabled?: boolean;
  readonly busy: boolean;
  readonly error: unknown;
  readonly onConfirm: (typed: string) => void;
  readonly onCancel: () => void;
}

/** Whether a press opens a confirmation. Read-only and changing commands run without one. */
export const needsConfirmation = (consequence: Consequence): boolean =>
  consequence === 'disrupts' || consequence === 'destroys';

/** The label of the button that sends the run or its approval request. */
export const runLabelOf = (guard: RunGuard | undefined) =>
  guard === 'second-person' ? 'commands.guard.request' : 'commands.run';

/**
 * The confirmation of a disruptive command (a press) or a destructive one (typing the serial number
 * or the device count).
 */
export function ConfirmRun(props: ConfirmRunProps): ReactNode {
  const { command, consequence, target, duration, devices, guard = 'none', error } = props;
  const t = useT();
  const targetWords =
    typeof target === 'number' ? t('commands.target.count', { count: target }) : target;
  return (
    <ConfirmDialog
      title={t(guard === 'second-person' ? 'commands.confirm.request' : 'commands.confirm.title', {
        command,
        target: targetWords,
      })}
      confirmLabel={t(runLabelOf(guard))}
      {...(consequence === 'destroys' ? { typed: String(target) } : {})}
      disabled={props.disabled === true || guard === 'air-blast'}
      busy={props.busy}
      error={
        error === null || error === undefined ? null : <ErrorView error={error} place="alert" />
      }
      onConfirm={props.onConfirm}
      onCancel={props.onCancel}
    >
      <SpaceBetween size="xs">
        <Box>{t(`commands.effect.${consequence}`)}</Box>
        {duration === null ? null : <Box>{t('commands.document.typical', { duration })}</Box>}
        {devices}
        {guard === 'none' ? null : <Box variant="strong">{t(`commands.guard.${guard}`)}</Box>}
      </SpaceBetween>
    </ConfirmDialog>
  );
}
