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
  /** Somebody else is changing the device, and nothing was said about it yet. */
  readonly waitsForAnswer: boolean;
  /** Other devices match by now, and they were not looked at yet. */
  readonly hasChanged: boolean;
  /** What must be known before it is pressed. */
  readonly notice: ReactNode;
  readonly onRun: () => void;
}

/** In words what a press does, and the press. */
export function ReviewSection(props: ReviewSectionProps): ReactNode {
  const { form, target, timeoutSeconds, busy, waitsForAnswer, hasChanged, notice, onRun } = props;
  const t = useT();
  const hindrance =
    hindranceOf(form, target, t) ??
    (waitsForAnswer ? t('commands.busy.answerFirst') : undefined) ??
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
            disabled={hindrance !== undefined}
            {...(hindrance === undefined ? {} : { disabledReason: hindrance })}
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

/** The device is being looked up: nobody can say yet whom a press would reach. */
const isWaiting = (target: Target): boolean => target.kind === 'one' && target.device.isPending;

function hindranceOf(form: CommandForm, target: Target, t: Translate): string | undefined {
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

function Sentence({
  form,
  target,
}: {
  readonly form: CommandForm;
  readonly target: Target;
}): ReactNode {
  const t = useT();
  const format = useFormat();
  const label = targetLabel(target);
  const on =
    label === null
      ? t('commands.review.noDevice')
      : typeof label === 'number'
        ? t('commands.target.count', { count: label })
        : label;
  return (
    <Box>
      <Box variant="strong">
        {t('commands.review.sentence', { command: form.command, target: on })}
      </Box>{' '}
      {t(`commands.effect.${form.consequence}`)}{' '}
      {form.typicalDurationMs === null
        ? null
        : t('commands.document.typical', { duration: format.duration(form.typicalDurationMs) })}
    </Box>
  );
}

/** A device that is away gets the command when it returns; said before, with until when. */
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
