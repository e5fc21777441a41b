import type { AuditEvent } from '@deviceportal/contract/audit-trail';

/** An event of the list, or a run of alike ones that stands for them: then `id` is its own. */
export interface AuditRow extends AuditEvent {
  /** Newest first; absent where the row is an event itself. */
  readonly run?: readonly AuditEvent[];
}

/** What happens often and says little by itself: a connection that flaps, looks, steps of a command. */
const families: Readonly<Record<string, string>> = {
  'device.connected': 'connection',
  'device.disconnected': 'connection',
  'device.degraded': 'connection',
  'device.recovered': 'connection',
  'device.inventory-changed': 'inventory',
  'device.software-changed': 'inventory',
  'device.packages-changed': 'inventory',
  'device.location-viewed': 'look',
  'report.opened': 'look',
  'report.downloaded': 'look',
  'access.signed-in': 'sign-in',
  'access.signed-out': 'sign-in',
  'settings.preferences-changed': 'settings',
  'settings.notification-changed': 'settings',
  'command.sent': 'progress',
  'command.started': 'progress',
};

/** Fewer are read sooner than opened. */
const SHORTEST = 3;

/** Runs of alike events that follow each other become one row each; everything else stays where it was. */
export function foldRuns(events: readonly AuditEvent[]): AuditRow[] {
  const runs: AuditEvent[][] = [];
  for (const event of events) {
    const last = runs.at(-1);
    if (last?.[0] !== undefined && isAlike(last[0], event)) last.push(event);
    else runs.push([event]);
  }
  return runs.flatMap((run): AuditRow[] => {
    const [newest] = run;
    if (newest === undefined || run.length < SHORTEST) return run;
    return [{ ...newest, id: `run-${newest.id}`, run }];
  });
}

function isAlike(one: AuditEvent, other: AuditEvent): boolean {
  const family = families[one.type];
  return (
    family !== undefined &&
    family === families[other.type] &&
    one.deviceId === other.deviceId &&
    one.actor.kind === other.actor.kind &&
    one.actor.id === other.actor.id
  );
}

/** How often each type occurs, the most frequent first. */
export function countTypes(run: readonly AuditEvent[]): readonly (readonly [string, number])[] {
  return [...Map.groupBy(run, ({ type }) => type)]
    .map(([type, found]) => [type, found.length] as const)
    .toSorted(([, one], [, other]) => other - one);
}
