import Box from '@cloudscape-design/components/box';
import SpaceBetween from '@cloudscape-design/components/space-between';
import type { ReactNode } from 'react';
import type { InvocationDetail } from '@deviceportal/contract/invocations';
import { isFinal } from '@deviceportal/contract/states';
import { useFormat } from '../../i18n/format-values.ts';
import { useT } from '../../i18n/use-t.ts';
import { CopyableId } from '../../ui/copyable-id.tsx';
import { KeyValue } from '../../ui/key-value.tsx';
import { PortalLink } from '../../ui/portal-link.tsx';
import { StatusOf } from '../../ui/status-of.tsx';
import { Time } from '../../ui/time/time.tsx';
import { exitCodeOf } from './exit-code.ts';
import { elapsedMs } from './invocation-progress.ts';
import { ParameterValues } from '../form/parameter-values.tsx';
import { undoneRun } from '../runs/undone-run.tsx';
import { useTick } from '../use-tick.ts';

/** The command, device, user, and times of an invocation. */
export function InvocationFacts({
  invocation,
}: {
  readonly invocation: InvocationDetail;
}): ReactNode {
  const t = useT();
  return (
    <SpaceBetween size="m">
      <KeyValue
        columns={4}
        hasLongValues
        items={[
          {
            label: t('commands.target.device'),
            value: <DeviceLink of={invocation} />,
          },
          {
            label: t('commands.document.title'),
            value: (
              <PortalLink
                href={`/documents/${invocation.documentName}?v=${invocation.documentVersion}`}
              >
                {invocation.documentName}:{invocation.documentVersion}
              </PortalLink>
            ),
          },
          { label: t('commands.result.by'), value: invocation.createdBy },
          {
            label: t('commands.result.queuedAt'),
            value: <Time at={invocation.queuedAt} style="absolute" />,
          },
          {
            label: t('commands.result.startedAt'),
            value: <Time at={invocation.startedAt} style="absolute" />,
          },
          {
            label: t('commands.result.endedAt'),
            value: <Time at={invocation.endedAt} style="absolute" />,
          },
          {
            label: t('commands.result.exitCode'),
            value: exitCodeOf(invocation.responseCode)?.toString(),
          },
          {
            label: t('commands.result.reference'),
            value: <CopyableId value={invocation.id} name={t('commands.result.reference')} />,
          },
          ...undoneRun(invocation, t),
          ...(invocation.comment === ''
            ? []
            : [{ label: t('commands.options.comment'), value: invocation.comment }]),
        ]}
      />
      <ParameterValues documentName={invocation.documentName} parameters={invocation.parameters} />
      <PortalLink
        href={`/audit-trail/device?q=${encodeURIComponent(`run=${invocation.runId}`)}&t=365d`}
      >
        {t('commands.result.auditTrail')}
      </PortalLink>
    </SpaceBetween>
  );
}

const DeviceLink = ({ of }: { readonly of: InvocationDetail }): ReactNode => (
  <PortalLink href={`/devices/${of.deviceId}`}>{of.serialNumber ?? of.deviceName}</PortalLink>
);

export interface InvocationStateLineProps {
  readonly invocation: InvocationDetail;
  readonly updatedAtMs: number;
  readonly refreshFailed: boolean;
  /** Names the device, where the page does not. */
  readonly namesDevice?: boolean;
}

/** The state with its duration, and the time of the last refresh. */
export function InvocationStateLine({
  invocation,
  updatedAtMs,
  refreshFailed,
  namesDevice = false,
}: InvocationStateLineProps): ReactNode {
  const t = useT();
  const format = useFormat();
  const running = !isFinal(invocation.state);
  const nowMs = useTick(running);
  const code = exitCodeOf(invocation.responseCode);
  const exit = code === null || running ? undefined : t('commands.result.exit', { code });
  return (
    <div className="dp-command-chip">
      <Box fontSize="heading-m">
        <StatusOf kind="statusDetails" value={invocation.statusDetails} detail={exit} />
      </Box>
      {namesDevice ? <DeviceLink of={invocation} /> : null}
      <span className="dp-number">{format.duration(elapsedMs(invocation, nowMs))}</span>
      <Box variant="span" color="text-body-secondary" fontSize="body-s">
        {refreshFailed
          ? t('commands.result.updateFailed')
          : t('commands.result.updated', { time: format.clock(updatedAtMs) })}
      </Box>
    </div>
  );
}
