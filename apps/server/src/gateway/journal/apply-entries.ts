import type { AuditDraft } from '../../audit-trail/record-audit.ts';
import {
  applyInvocationEntries,
  type InvocationReport,
} from '../../commands/execution/apply-invocation-entries.ts';
import { applyInventory } from '../../devices/apply-inventory.ts';
import { sanitizeReportedText } from '../../devices/list/sanitize-reported-text.ts';
import { applyPositions } from '../../locations/apply-position.ts';
import { applyPackages } from '../../packages/apply-packages.ts';
import type { Change } from '../../platform/change-feed.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { applySoftware } from '../../versions/apply-software.ts';
import { softwareAudit } from '../../versions/software-audit.ts';
import type { Refusal } from '../device-transport.ts';
import type { ReceivedEntry, UnreadableEntry } from './read-journal.ts';

/** A journal entry of a device that is served. */
export interface ServedEntry {
  readonly deviceId: string;
  readonly deviceName: string;
  readonly instanceId: string;
  readonly enrolledAt: Date;
  readonly entry: ReceivedEntry;
}

export interface AppliedEntries {
  readonly audit: readonly AuditDraft[];
  /** Call last before commit. Returns the changes to publish after commit. */
  readonly settle: () => Promise<readonly Change[]>;
  readonly refusals: readonly Refusal[];
}

/** Applies each kind of entry by its own set-based use case, in the caller's transaction. */
export async function applyEntries(
  tx: Transaction,
  entries: readonly ServedEntry[],
  now: Date,
): Promise<AppliedEntries> {
  const sorted = sortByKind(entries, now);
  const invocations = await applyInvocationEntries(tx, sorted.reports, now);
  const inventories = await applyInventory(tx, sorted.inventories);
  const software = await applySoftware(tx, sorted.software);
  const packages = await applyPackages(tx, sorted.packages);
  const moved = await applyPositions(tx, sorted.positions);
  const names = new Map(entries.map(({ deviceId, deviceName }) => [deviceId, deviceName]));
  const actor = (deviceId: string): AuditDraft['actor'] => ({
    kind: 'device',
    id: deviceId,
    name: names.get(deviceId) ?? '',
    address: null,
  });
  const changed = new Set([
    ...inventories.map(({ deviceId }) => deviceId),
    ...software.map(({ deviceId }) => deviceId),
    ...sorted.packages.map(({ deviceId }) => deviceId),
    ...moved,
  ]);
  return {
    audit: [
      ...sorted.events,
      ...invocations.audit,
      ...inventories.map((change): AuditDraft => ({
        type: 'device.inventory-changed',
        actor: actor(change.deviceId),
        deviceId: change.deviceId,
        data: { changed: change.changed, before: change.before },
      })),
      ...softwareAudit('device.software-changed', software, actor),
      ...softwareAudit('device.packages-changed', packages, actor),
    ],
    settle: async () => [
      ...(await invocations.settle()),
      ...(changed.size > 0 ? [{ kind: 'device-changed' as const, deviceIds: [...changed] }] : []),
    ],
    refusals: invocations.foreign.map(({ deviceId }) => ({
      deviceId,
      reason: 'entry-failed',
      detail: 'not an invocation of this device',
    })),
  };
}

interface SortedEntries {
  readonly reports: InvocationReport[];
  readonly events: AuditDraft[];
  readonly inventories: Parameters<typeof applyInventory>[1][number][];
  readonly software: Parameters<typeof applySoftware>[1][number][];
  readonly packages: Parameters<typeof applyPackages>[1][number][];
  readonly positions: Parameters<typeof applyPositions>[1][number][];
}

/** Values of an inventory that are shown as text; its details are shown as JSON. */
const INVENTORY_WORDS = [
  ...(['platformName', 'platformVersion', 'architecture', 'agentVersion'] as const),
  ...(['hostName', 'ipAddress', 'model', 'hardwareRevision', 'timeZone'] as const),
] as const;

function sortByKind(entries: readonly ServedEntry[], now: Date): SortedEntries {
  const sorted: SortedEntries = {
    reports: [],
    events: [],
    inventories: [],
    software: [],
    packages: [],
    positions: [],
  };
  for (const served of entries) {
    const { deviceId, deviceName, instanceId, entry } = served;
    if (entry.kind === 'unreadable') {
      sorted.events.push(refusalOf(served, entry));
      continue;
    }
    const at = (): Date => momentOf(entry.at, served, now);
    switch (entry.kind) {
      case 'event':
        sorted.events.push(eventOf(served, entry, at()));
        break;
      case 'inventory':
        sorted.inventories.push({
          ...sanitizeReportedText(entry, INVENTORY_WORDS),
          ...{ deviceId, instanceId, at: at() },
        });
        break;
      case 'software':
        sorted.software.push({
          ...{ deviceId, at: at() },
          components: entry.components.map((each) =>
            sanitizeReportedText(each, ['component', 'version']),
          ),
        });
        break;
      case 'packages':
        sorted.packages.push({ ...entry, deviceId, at: at() });
        break;
      case 'position':
        sorted.positions.push({ ...entry, deviceId, at: at() });
        break;
      case 'invocation-step':
        sorted.reports.push({
          ...{ deviceId, deviceName },
          entry: sanitizeReportedText(entry, ['name', 'action']),
        });
        break;
      case 'invocation-artefact':
        sorted.reports.push({ deviceId, deviceName, entry: sanitizeReportedText(entry, ['name']) });
        break;
      default:
        sorted.reports.push({ deviceId, deviceName, entry });
    }
  }
  return sorted;
}

/** The device's clock may be wrong: times are limited to between its enrollment and now. */
function momentOf(at: string, { enrolledAt }: ServedEntry, now: Date): Date {
  return new Date(Math.min(now.getTime(), Math.max(enrolledAt.getTime(), Date.parse(at))));
}

const deviceActor = ({ deviceId, deviceName }: ServedEntry): AuditDraft['actor'] => ({
  kind: 'device',
  id: deviceId,
  name: deviceName,
  address: null,
});

function refusalOf(served: ServedEntry, { seq, fault }: UnreadableEntry): AuditDraft {
  return {
    type: 'device.refused',
    actor: deviceActor(served),
    deviceId: served.deviceId,
    data: { reason: 'entry-failed', seq, detail: fault },
  };
}

function eventOf(
  served: ServedEntry,
  entry: Extract<ReceivedEntry, { kind: 'event' }>,
  at: Date,
): AuditDraft {
  const { deviceId, instanceId } = served;
  const isOwnTime = at.getTime() === Date.parse(entry.at);
  return {
    type: `device-event.${entry.type}`,
    actor: deviceActor(served),
    deviceId,
    occurredAt: at,
    data: {
      ...entry.data,
      instanceId,
      seq: entry.seq,
      ...(!isOwnTime && { deviceTime: entry.at }),
    },
  };
}
