import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { occurredAt, type AuditEvent } from '@deviceportal/contract/audit-trail';
import type { InvocationRow } from '@deviceportal/contract/invocations';
import type { VersionChange } from '@deviceportal/contract/versions';
import { useApi } from '../api/use-api.ts';
import { auditTypeWords } from '../audit-trail/audit-event-words.ts';
import { invocationHref } from '../devices/invocation-href.ts';
import { useT, type Translate } from '../i18n/use-t.ts';
import { useViewer } from '../session/viewer-context.tsx';
import type { TimeSpan } from './metric-range.ts';
import { toMetricInput } from './to-metric-input.ts';

export type MarkKind = 'command' | 'event' | 'version';

/** Something that happened on the device, on the time axis of its metrics. */
export interface MetricMark {
  readonly id: string;
  readonly kind: MarkKind;
  readonly atMs: number;
  readonly words: string;
  /** The page that shows it. */
  readonly href: string | undefined;
}

/** The newest of each kind. */
const MOST = 100;

/** What happened on the device in a time range, as far as the viewer can see it. In order of time. */
export function useMetricMarks(
  deviceId: string,
  { fromMs, toMs }: TimeSpan,
): readonly MetricMark[] {
  const t = useT();
  const api = useApi();
  const { may } = useViewer();
  const range = toMetricInput({ fromMs, toMs });
  const commands = useQuery(
    api.commands.listInvocations.queryOptions(
      { deviceId, queuedBefore: range.to, pageSize: MOST },
      { enabled: may('commands:read'), placeholderData: keepPreviousData },
    ),
  );
  const versions = useQuery(
    api.versions.deviceHistory.queryOptions({ deviceId }, { enabled: may('versions:read') }),
  );
  const events = useQuery(
    api.auditTrail.list.queryOptions(
      { filter: { deviceId, range, types: ['device-event.*'] }, pageSize: MOST },
      { enabled: may('audit-trail:read'), placeholderData: keepPreviousData },
    ),
  );
  return useMemo(
    () =>
      [
        ...(commands.data?.rows ?? []).map(commandMark),
        ...(versions.data ?? []).map((change) => versionMark(change, deviceId, t)),
        ...(events.data?.rows ?? []).map((event) => eventMark(event, deviceId, t)),
      ]
        .filter(({ atMs }) => atMs >= fromMs && atMs <= toMs)
        .toSorted((one, other) => one.atMs - other.atMs),
    [commands.data, versions.data, events.data, deviceId, fromMs, toMs, t],
  );
}

const commandMark = (row: InvocationRow): MetricMark => ({
  id: row.id,
  kind: 'command',
  atMs: Date.parse(row.startedAt ?? row.queuedAt),
  words: row.command,
  href: invocationHref(row),
});

const versionMark = (
  { component, version, previousVersion, at }: VersionChange,
  deviceId: string,
  t: Translate,
): MetricMark => ({
  id: `${component} ${at}`,
  kind: 'version',
  atMs: Date.parse(at),
  words: t('metrics.mark.versionChange', {
    component,
    before: previousVersion ?? t('devices.versions.new'),
    after: version ?? t('devices.versions.gone'),
  }),
  href: `/devices/${deviceId}?tab=versions`,
});

const eventMark = (event: AuditEvent, deviceId: string, t: Translate): MetricMark => ({
  id: event.id,
  kind: 'event',
  atMs: Date.parse(occurredAt(event)),
  words: auditTypeWords(event.type, t),
  href: `/devices/${deviceId}?tab=events`,
});
