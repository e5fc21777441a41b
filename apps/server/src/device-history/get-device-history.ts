import { PortalError } from '@deviceportal/contract/errors';
import { reaches, scopesOf } from '@deviceportal/contract/permissions';
import type { FactDeviceHistory, DeviceHistory } from '@deviceportal/contract/device-history';
import { auditSightOf, maskActor } from '../audit-trail/audit-sight.ts';
import { findDevice } from '../devices/find-device.ts';
import { placeFor, type PlaceRecord } from '../locations/place-for.ts';
import { findPersonNames } from '../people/data/find-person-names.ts';
import { maskName } from '../people/mask-person.ts';
import type { Database } from '../platform/database/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { selectConnectionEvent, selectRecordChanges } from './data/device-event-queries.ts';
import {
  loadCommands,
  loadFindings,
  loadPackages,
  loadPlaces,
  loadRecord,
  loadSoftware,
  type AtMoment,
  type RecordNow,
} from './data/reported-facts-queries.ts';
import {
  connectivityAfter,
  recordFields,
  revertChanges,
  type DeviceEvent,
  type RecordField,
  type RecordValue,
} from './revert-changes.ts';

export interface DeviceHistoryDeps {
  readonly database: Database;
  readonly clock: () => Date;
  /** Retention of software changes, in days. */
  readonly softwareHistoryDays: number;
}

interface Asked extends AtMoment {
  readonly on: Database['orm'];
  readonly viewer: Viewer;
  readonly device: RecordNow;
  /** Software changes before this moment are not kept. */
  readonly softwareSince: Date;
}

const DAY_MS = 86_400_000;

/**
 * Compares what was known about a device at a moment with what is known now. The record is restored by reverting the
 * changes in the audit trail; versions, locations, and findings have their own history. Locations are rounded.
 * @throws PortalError deviceNotFound (6000)
 */
export async function getDeviceHistory(
  { database, clock, softwareHistoryDays }: DeviceHistoryDeps,
  viewer: Viewer,
  input: { readonly deviceId: string; readonly at: Date },
): Promise<DeviceHistory> {
  const on = database.orm;
  const deviceId = await findDevice(on, viewer, {
    reference: input.deviceId,
    permissions: ['devices:read'],
  });
  const device = await loadRecord(on, deviceId);
  if (device === null) throw new PortalError('deviceNotFound', { facts: { device: deviceId } });
  const softwareSince = new Date(clock().getTime() - softwareHistoryDays * DAY_MS);
  const asked = { on, viewer, device, deviceId, at: input.at, softwareSince };
  const may = (permission: 'commands:read' | 'locations:read' | 'versions:read'): boolean =>
    reaches(scopesOf(viewer.grants, [permission]), scopeFactsOf(device));
  return {
    at: input.at.toISOString(),
    knownSince: device.createdAt.toISOString(),
    facts: [
      await connectionFact(asked),
      ...(await recordFacts(asked)),
      ...(may('locations:read') ? [await placeFact(asked)] : []),
      ...(await softwareFacts(asked)),
    ],
    findings: await loadFindings(on, asked),
    commands: may('commands:read') ? await loadCommands(on, asked) : [],
    packages: may('versions:read') ? await loadPackages(on, asked) : { changes: [], more: false },
  };
}

const scopeFactsOf = ({ record }: RecordNow) => ({
  country: record.country,
  model: record.model,
  labels: record.labels,
});

async function connectionFact(asked: Asked): Promise<FactDeviceHistory> {
  const { on, viewer, deviceId, at, device } = asked;
  const before = await selectConnectionEvent(on, deviceId, { at, side: 'until' });
  const after = await selectConnectionEvent(on, deviceId, { at, side: 'after' });
  return factOf(viewer, {
    fact: 'connectivity',
    earlier: connectivityAfter(before),
    now: device.connectivity,
    change: after,
  });
}

async function recordFacts(asked: Asked): Promise<FactDeviceHistory[]> {
  const { on, viewer, deviceId, at, device } = asked;
  const then = revertChanges(device.record, await selectRecordChanges(on, deviceId, at));
  const owners = [device.record.ownerId, then.ownerId.value].filter((id) => typeof id === 'string');
  const names = await findPersonNames(on, owners);
  const maySeePeople = reaches(scopesOf(viewer.grants, ['people:read']), scopeFactsOf(device));
  const textOf = (field: RecordField, value: RecordValue): string | null => {
    if (field !== 'ownerId' || typeof value !== 'string') return valueText(value);
    const name = names.get(value) ?? value;
    return maySeePeople ? name : maskName(name);
  };
  return recordFields.map((field) =>
    factOf(viewer, {
      fact: field === 'ownerId' ? 'owner' : field,
      earlier: textOf(field, then[field].value),
      now: textOf(field, device.record[field]),
      change: then[field].change,
      isKnown: then[field].isKnown,
    }),
  );
}

function valueText(value: RecordValue): string | null {
  if (typeof value === 'string' || value === null) return value;
  const labels = Object.entries(value).map(([key, own]) => (own === '' ? key : `${key}: ${own}`));
  return labels.length === 0 ? null : labels.toSorted().join(', ');
}

async function placeFact({ on, viewer, deviceId, at }: Asked): Promise<FactDeviceHistory> {
  const places = await loadPlaces(on, { deviceId, at });
  return factOf(viewer, {
    fact: 'place',
    earlier: placeText(places.earlier),
    now: placeText(places.now),
    change: null,
  });
}

function placeText(place: PlaceRecord | null): string | null {
  if (place === null) return null;
  const { latitude, longitude, country } = placeFor(place, false);
  const degrees = `${latitude.toFixed(1)}, ${longitude.toFixed(1)}`;
  return country === null ? degrees : `${degrees} (${country})`;
}

async function softwareFacts(asked: Asked): Promise<FactDeviceHistory[]> {
  const { on, viewer, deviceId, at, softwareSince } = asked;
  const software = await loadSoftware(on, { deviceId, at });
  return software.map(({ component, earlier, now, changedAt }) => {
    const isKnown = at >= softwareSince || earlier !== null;
    const draft = {
      fact: 'software',
      name: component,
      earlier,
      now,
      isKnown,
      change: null,
    } as const;
    return { ...factOf(viewer, draft), changedAt };
  });
}

interface FactDraft extends Pick<FactDeviceHistory, 'fact' | 'earlier' | 'now'> {
  readonly name?: string;
  readonly change: DeviceEvent | null;
  readonly isKnown?: boolean;
}

function factOf(
  viewer: Viewer,
  { name = '', change, isKnown = true, ...draft }: FactDraft,
): FactDeviceHistory {
  return {
    ...draft,
    name,
    isKnown,
    differs: isKnown && draft.earlier !== draft.now,
    changedAt: change?.at ?? null,
    changedBy:
      change === null ? null : maskActor(change.actor, auditSightOf(viewer, 'devices:read')),
  };
}
