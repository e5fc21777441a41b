import Alert from '@cloudscape-design/components/alert';
import Button from '@cloudscape-design/components/button';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { DeviceDetail, Verdict } from '@deviceportal/contract/devices';
import { commandHref } from '../commands/command-href.ts';
import { useRunInPlace } from '../commands/in-place/use-run-in-place.tsx';
import { useFormat } from '../i18n/format-values.ts';
import { useLanguage } from '../i18n/language-store.ts';
import { useT } from '../i18n/use-t.ts';
import { WaitForDevice } from '../notifications/wait-for-device.tsx';
import { followWithRouter } from '../ui/follow-with-router.ts';
import { CheckInForecastLine } from './check-in-forecast-line.tsx';
import { invocationHref } from './invocation-href.ts';
import { verdictWords } from './verdict-words.ts';

const SHOWN = 3;

/** Findings of a device with suggested steps, most severe first, at most three. */
export function DeviceVerdicts({ device }: { readonly device: DeviceDetail }): ReactNode {
  return (
    <SpaceBetween size="xs">
      {device.verdicts.slice(0, SHOWN).map((verdict, index) => (
        // Several parts can fail with the same code. The order is the server’s.
        <VerdictAlert key={`${verdict.code}-${index}`} verdict={verdict} device={device} />
      ))}
    </SpaceBetween>
  );
}

const awayCodes: readonly Verdict['code'][] = [
  'offline',
  'unusual-silence',
  'unknown-connectivity',
];
const isAway = ({ code }: Verdict): boolean => awayCodes.includes(code);
/** Whether a command would run now; otherwise it is queued until the device connects. */
const isReachable = ({ connectivity }: DeviceDetail): boolean =>
  connectivity === 'online' || connectivity === 'degraded';

function VerdictAlert({
  verdict,
  device,
}: {
  readonly verdict: Verdict;
  readonly device: DeviceDetail;
}): ReactNode {
  const { id: deviceId } = device;
  const t = useT();
  const format = useFormat();
  const language = useLanguage();
  const words = verdictWords(verdict, { t, format, language });
  const { suggestedCommand: command } = verdict;
  const invocationId = verdict.facts['invocationId'];
  const { parameters } = verdict;
  const values = Object.keys(parameters ?? {}).length > 0;
  const inPlace = useRunInPlace(command === null ? null : { command, deviceId, parameters });
  const href =
    command === null
      ? ''
      : commandHref(command, {
          device: deviceId,
          ...(values ? { values: JSON.stringify(verdict.parameters) } : {}),
        });
  const runLabel =
    command === null
      ? ''
      : t(isReachable(device) ? 'devices.verdict.run' : 'devices.verdict.queue', { command });
  return (
    <SpaceBetween size="xs">
      <Alert
        type={verdict.severity}
        header={words.title}
        action={
          <SpaceBetween direction="horizontal" size="xs">
            {typeof invocationId === 'string' ? (
              <Button
                href={invocationHref({
                  id: invocationId,
                  command: String(verdict.facts['command'] ?? 'document'),
                  deviceId,
                })}
                onFollow={followWithRouter}
              >
                {t('devices.verdict.history')}
              </Button>
            ) : null}
            {isAway(verdict) ? <WaitForDevice deviceId={deviceId} /> : null}
            {command === null ? null : inPlace === null ? (
              <Button href={href} onFollow={followWithRouter}>
                {runLabel}
              </Button>
            ) : (
              <Button onClick={inPlace.start}>{runLabel}</Button>
            )}
          </SpaceBetween>
        }
      >
        {words.body}
        {isAway(verdict) ? <CheckInForecastLine deviceId={deviceId} /> : null}
      </Alert>
      {inPlace?.result}
    </SpaceBetween>
  );
}
