import Alert from '@cloudscape-design/components/alert';
import Box from '@cloudscape-design/components/box';
import Button from '@cloudscape-design/components/button';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { CommandForm } from '@deviceportal/contract/commands';
import { useFormat } from '../../i18n/format-values.ts';
import { useT, type Translate } from '../../i18n/use-t.ts';
import { useServerNow } from '../../ui/time/server-clock.ts';
import { runLabelOf } from './confirm-run.tsx';
import { guardOfTarget, targetLabel, type Target } from '../target/use-target.ts';

export interface ReviewSectionProps {
  readonly form: CommandForm;
  readonly target: Target;
  readonly timeoutSeconds: number;
  readonly busy: boolean;
  /**
   * Another user has the change lock of the device, and the user has not chosen to queue the
   * command.
   */
  readonly needsQueueChoice: boolean;
  /** The matching devices have changed since they were shown. */
  readonly hasChanged: boolean;
  /** A notice above the button. */
  readonly notice: ReactNode;
  readonly onRun: () => void;
}

/** A summary of the run, and the button that sends it. */
export function ReviewSection(props: ReviewSectionProps): ReactNode {
  const { form, target, timeoutSeconds, busy, needsQueueChoice, hasChanged, notice, onRun } = props;
  const t = useT();
  const disabledReason =
    disabledReasonOf(form, target, t) ??
    (needsQueueChoice ? t('commands.busy.answerFirst') : undefined) ??
    (guardOfTarget(target) === 'air-blast' ? t('commands.guard.air-blast') : undefined) ??
    (hasChanged ? t('commands.target.reloadFirst') : undefined);
  return (
    <Container header={<Header variant="h2">{t('commands.review.title')}</Header>}>
      <SpaceBetween size="m">
        <Sentence form={form} target={target} />
        {notice}
        <WaitingNote target={target} timeoutSeconds={timeoutSeconds} />
        <SpaceBetween direction="horizontal" size="s" alignItems="center">
          <Button
            variant="primary"
            loading={busy || isWaiting(target)}
            disabled={disabledReason !== undefined}
            {...(disabledReason === undefined ? {} : { disabledReason })}
            onClick={onRun}
          >
            {t(runLabelOf(guardOfTarget(target)))}
          </Button>
          <Box color="text-body-secondary" fontSize="body-s">
            {t('commands.review.shortcut')}
          </Box>
        </SpaceBetween>
      </SpaceBetween>
    </Container>
  );
}

/** The device is being looked up, so the target is not known yet. */
const isWaiting = (target: Target): boolean => target.kind === 'one' && target.device.isPending;

function disabledReasonOf(form: CommandForm, target: Target, t: Translate): string | undefined {
  if (!form.allowed) {
    return t('app.needsPermission', { permission: form.missingPermission ?? 'commands:run' });
  }
  if (form.documentState !== 'active') {
    return t(`documents.notRunnable.${form.documentState}`);
  }
  if (target.kind === 'one' && target.device.isError) {
    return t('app.error.commandHasNoDevice.title');
  }
  if (target.kind === 'many') {
    if (target.preview.data === undefined || target.preview.isFetching)
      return t('commands.review.counting');
    if (target.preview.data.count === 0) return t('commands.target.nobody');
  }
  return undefined;
}

function Sentence(props: { readonly form: CommandForm; readonly target: Target }): ReactNode {
  const { form } = props;
  const t = useT();
  const format = useFormat();
  const label = targetLabel(props.target);
  const { command } = form;
  const target = typeof label === 'number' ? t('commands.target.count', { count: label }) : label;
  return (
    <Box>
      <Box variant="strong">
        {target === null
          ? t('commands.review.noDevice', { command })
          : t('commands.review.sentence', { command, target })}
      </Box>{' '}
      {t(`commands.effect.${form.consequence}`)}{' '}
      {form.typicalDurationMs === null
        ? null
        : t('commands.document.typical', { duration: format.duration(form.typicalDurationMs) })}
    </Box>
  );
}

/** States until when an offline device receives the command after reconnecting. */
function WaitingNote({
  target,
  timeoutSeconds,
}: {
  readonly target: Target;
  readonly timeoutSeconds: number;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const nowMs = useServerNow();
  const until = format.absolute(nowMs + timeoutSeconds * 1_000);
  if (target.kind === 'many') {
    const preview = target.preview.data;
    if (preview === undefined || preview.count === preview.online) return null;
    return (
      <Alert type="info">
        {t('commands.review.someOffline', { offline: preview.count - preview.online, until })}
      </Alert>
    );
  }
  const device = target.kind === 'one' ? target.device.data : undefined;
  if (device === undefined || device.lifecycle !== 'active') return null;
  if (device.connectivity === 'online' || device.connectivity === 'degraded') return null;
  return <Alert type="info">{t('commands.review.offline', { until })}</Alert>;
}
