import type { DeviceInstance, DeviceRow, Verdict } from '@deviceportal/contract/devices';
import { byUrgency } from './by-urgency.ts';
import type { LastInvocation } from './load-device-facts.ts';

const DAY_MS = 86_400_000;
const CERTIFICATE_WARNING_DAYS = 14;
const failedStates: readonly string[] = ['Failed', 'TimedOut'];

/** Commands that diagnose or fix a failing check. */
const remedies: Readonly<Record<string, string>> = {
  disk: 'storage/usage',
  memory: 'process/top',
  network: 'network/diagnose',
  service: 'restart/service',
  clock: 'network/diagnose',
  heartbeat: 'network/ping',
};

export interface VerdictFacts {
  readonly row: DeviceRow;
  readonly instances: readonly DeviceInstance[];
  readonly lastInvocation: LastInvocation | null;
  readonly now: Date;
}

/** Problems of a device, most urgent first, each with a suggested command; a single `healthy` if there are none. */
export function deviceVerdicts(facts: VerdictFacts): Verdict[] {
  const { row } = facts;
  if (row.lifecycle === 'retired') return [verdict('retired', 'info')];
  const found = [
    ...(row.lifecycle === 'suspended' ? [verdict('suspended', 'warning')] : []),
    ...connection(facts),
    ...lastCommand(facts),
    ...certificate(facts),
  ];
  if (found.length === 0)
    return [verdict('healthy', 'success', { checkedAt: facts.now.toISOString() })];
  return found.toSorted(byUrgency);
}

function connection({ row, instances, now }: VerdictFacts): Verdict[] {
  if (!instances.some((instance) => instance.state === 'current')) {
    return [verdict('no-instance', 'warning')];
  }
  switch (row.connectivity) {
    case 'offline':
      return row.lifecycle === 'suspended' ? [] : [offline(row, now)];
    case 'degraded':
      return row.failing.length === 0
        ? [verdict('degraded', 'warning')]
        : row.failing.map(({ part, fact }) =>
            verdict('degraded', 'warning', { part, fact }, remedies[part] ?? 'logs/tail'),
          );
    case 'never':
      return [verdict('never-connected', 'warning')];
    case 'unknown':
      return [verdict('unknown-connectivity', 'info', { lastSeenAt: row.lastSeenAt })];
    case 'online':
      return [];
  }
}

function offline(row: DeviceRow, now: Date): Verdict {
  const since = row.connectivitySince ?? row.lastSeenAt;
  const facts = {
    reason: row.disconnectReason,
    since,
    lastSeenAt: row.lastSeenAt,
    offlineSeconds: since === null ? null : Math.round((now.getTime() - Date.parse(since)) / 1000),
  };
  // Runs when the device reconnects: the first diagnosis needed then.
  return verdict('offline', 'error', facts, 'network/diagnose');
}

function lastCommand({ lastInvocation }: VerdictFacts): Verdict[] {
  if (lastInvocation === null || !failedStates.includes(lastInvocation.state)) return [];
  const facts = {
    invocationId: lastInvocation.id,
    command: lastInvocation.command,
    statusDetails: lastInvocation.statusDetails,
    responseCode: lastInvocation.responseCode,
    endedAt: lastInvocation.endedAt,
  };
  return [verdict('last-command-failed', 'warning', facts, 'logs/tail')];
}

function certificate({ instances, now }: VerdictFacts): Verdict[] {
  const current = instances.find((instance) => instance.state === 'current');
  if (current === undefined) return [];
  const leftMs = Date.parse(current.certificateEndsAt) - now.getTime();
  if (leftMs > CERTIFICATE_WARNING_DAYS * DAY_MS) return [];
  const facts = { endsAt: current.certificateEndsAt, days: Math.floor(leftMs / DAY_MS) };
  return [verdict('certificate-ending', leftMs < 0 ? 'error' : 'warning', facts)];
}

function verdict(
  code: Verdict['code'],
  severity: Verdict['severity'],
  facts: Verdict['facts'] = {},
  suggestedCommand: string | null = null,
): Verdict {
  return { code, severity, facts, suggestedCommand };
}
