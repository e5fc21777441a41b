import Box from '@cloudscape-design/components/box';
import Container from '@cloudscape-design/components/container';
import Header from '@cloudscape-design/components/header';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { AirBlastDetail, AirBlastWave } from '@deviceportal/contract/air-blast';
import type { LockHolderRun } from '@deviceportal/contract/change-locks';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { PortalLink } from '../../ui/portal-link.tsx';
import { useServerNow } from '../../ui/time/server-clock.ts';
import { useQueuedBehind } from '../../commands/use-queued-behind.ts';
import { QueuedNote } from '../../commands/queued-note.tsx';
import { OfflineDevices } from './offline-devices.tsx';
import { GateMeter } from './gate-meter.tsx';
import { countsOf } from './wave-counts.ts';
import { runOfWaveHref } from './wave-href.ts';
import '../air-blast.css';

/** Progress: the deciding value against its limit, and every wave as a bar of device results. */
export function ProgressPanel({ run }: { readonly run: AirBlastDetail }): ReactNode {
  const t = useT();
  const { gate, waves } = run;
  const waits = useQueuedBehind(
    waves.flatMap(({ runId, endedAt }) => (runId === null || endedAt !== null ? [] : [runId])),
  );
  if (waves.length === 0) return null;
  const most = Math.max(...waves.map(({ devices }) => devices));
  return (
    <Container header={<Header variant="h2">{t('airBlast.progress')}</Header>}>
      <SpaceBetween size="m">
        {gate === null ? null : <GateMeter gate={gate} />}
        <OfflineDevices run={run} />
        <ol className="dp-waves" aria-label={t('airBlast.wavesLabel')}>
          {waves.map((wave) => (
            <li key={`${wave.step} ${wave.attempt} ${wave.wave}`}>
              <Wave run={run} wave={wave} most={most} behind={waits.get(wave.runId ?? '')} />
            </li>
          ))}
        </ol>
        <Legend />
      </SpaceBetween>
    </Container>
  );
}

const parts = ['success', 'failed', 'cancelled', 'open'] as const;

function Wave({
  run,
  wave,
  most,
  behind,
}: {
  readonly run: AirBlastDetail;
  readonly wave: AirBlastWave;
  readonly most: number;
  readonly behind: readonly LockHolderRun[] | undefined;
}): ReactNode {
  const t = useT();
  const { counters, devices, step, runId } = wave;
  const name =
    step === 'blast' ? t('airBlast.waveOf', { wave: wave.wave }) : t(`airBlast.step.${step}`);
  const counts = countsOf(wave);
  return (
    <>
      <div className="dp-wave-name">
        <span>{name}</span>
        {wave.attempt > 1 ? (
          <Box variant="span" color="text-body-secondary" fontSize="body-s">
            {t('airBlast.attempt', { attempt: wave.attempt })}
          </Box>
        ) : null}
      </div>
      {/*
       * The length is in proportion to the largest wave, with a minimum so that it stays visible.
       */}
      <div className="dp-wave-room">
        <div
          className="dp-wave-bar"
          style={{ inlineSize: `${Math.max(6, (devices / most) * 100)}%` }}
          aria-hidden="true"
        >
          {parts.map((part) => (
            <div key={part} data-part={part} style={{ flexGrow: counts[part] }} />
          ))}
        </div>
      </div>
      <div className="dp-wave-words">
        {counters === null
          ? t('airBlast.waveNotOpen', { devices })
          : t('airBlast.waveResult', {
              success: counts.success,
              failed: counts.failed,
              open: counts.open,
            })}
        <WaveTime wave={wave} />
        {runId === null ? null : (
          <PortalLink href={runOfWaveHref(run, { runId, step })}>
            {t('airBlast.openRun')}
          </PortalLink>
        )}
        <QueuedNote behind={behind} />
      </div>
    </>
  );
}

function WaveTime({ wave }: { readonly wave: AirBlastWave }): ReactNode {
  const format = useFormat();
  const now = useServerNow();
  const { openedAt, endedAt } = wave;
  if (openedAt === null) return null;
  const untilMs = endedAt === null ? now : Date.parse(endedAt);
  const tookMs = Math.max(0, untilMs - Date.parse(openedAt));
  return (
    <Box variant="span" color="text-body-secondary">
      {format.duration(Math.max(1_000, Math.round(tookMs / 1_000) * 1_000))}
    </Box>
  );
}

function Legend(): ReactNode {
  const t = useT();
  return (
    <ul className="dp-wave-legend">
      {parts.map((part) => (
        <li key={part}>
          <span data-part={part} aria-hidden="true" /> {t(`airBlast.part.${part}`)}
        </li>
      ))}
    </ul>
  );
}
