import { PortalError } from '@deviceportal/contract/errors';
import { softwareReferenceInput, type SoftwareReference } from '@deviceportal/contract/versions';
import { recordAudit, systemActor } from '../../audit-trail/record-audit.ts';
import type { ItemKey, Rejection, TakenIn } from '../../data-sources/feed-source.ts';
import { invalidItem, rejection } from '../../data-sources/rejection.ts';
import type { Transaction } from '../../platform/database/database.ts';
import { requireRoom } from '../../platform/growth-limits/require-room.ts';
import type { TableChange } from '../../platform/sources/table-feed.ts';
import { refreshCellStates } from '../data/cell-state-queries.ts';
import {
  insertSoftwareItem,
  lockAllSoftware,
  updateSoftwareItem,
} from '../data/software-item-queries.ts';
import { allSoftware } from '../data/software-queries.ts';
import { enterSoftwareState } from '../enter-software-state.ts';
import { softwareItemSchema, type SoftwareItem } from './software-item.ts';

type Held = Awaited<ReturnType<typeof lockAllSoftware>>[number];
type Known = Pick<
  Held,
  'component' | 'version' | 'revision' | 'state' | 'models' | 'channel' | 'notes'
> & { readonly releasedAt: Date | string | null };

const ORIGIN = 'software version table';
const BY = { actor: systemActor };

/**
 * Applies items of the software version table. An item with a higher revision is newer; of the same
 * revision, the table's applies.
 */
export async function takeInSoftware(
  tx: Transaction,
  changes: readonly TableChange[],
): Promise<TakenIn> {
  const read = changes.map(readChange);
  const references = read.flatMap(({ reference }) => reference ?? []);
  const unique = [...new Map(references.map((each) => [textOf(each), each])).values()];
  const known = new Map<string, Known>(
    (await lockAllSoftware(tx, unique)).map((row) => [textOf(row), row]),
  );
  const rejected: Rejection[] = [];
  const outdated: ItemKey[] = [];
  let applied = 0;
  for (const { reference, item, fault } of read) {
    if (fault !== undefined) rejected.push(fault);
    if (reference === undefined || fault !== undefined) continue;
    const held = known.get(textOf(reference));
    if (item === undefined || (held !== undefined && held.revision > item.revision)) {
      if (held !== undefined && !(item !== undefined && isSame(held, item)))
        outdated.push({ key: reference.component, sortKey: reference.version });
      continue;
    }
    const result = await applyItem(tx, held, item);
    if (result === 'applied') applied += 1;
    else if (result !== 'same') rejected.push(result);
    if (result === 'applied' || result === 'same') known.set(textOf(item), item);
  }
  return { applied, rejected, outdated, changes: [] };
}

const textOf = ({ component, version }: SoftwareReference): string => `${component}\n${version}`;

/** `item` undefined: it was removed. */
interface ReadChange {
  readonly reference?: SoftwareReference;
  readonly item?: SoftwareItem;
  readonly fault?: Rejection;
}

function readChange({ key, item }: TableChange): ReadChange {
  const reference = softwareReferenceInput.safeParse(key);
  if (!reference.success) return { fault: invalidItem(key, reference.error) };
  // Spaces around a name would make two keys one.
  if (textOf(reference.data) !== textOf(key as unknown as SoftwareReference)) {
    return { fault: rejection(key, 'invalid', 'component, version: spaces') };
  }
  if (item === null) return { reference: reference.data };
  const parsed = softwareItemSchema.safeParse({ ...item, ...key });
  if (!parsed.success) return { fault: invalidItem(key, parsed.error) };
  return { reference: reference.data, item: parsed.data };
}

async function applyItem(
  tx: Transaction,
  held: Known | undefined,
  item: SoftwareItem,
): Promise<'applied' | 'same' | Rejection> {
  if (held !== undefined && isSame(held, item)) {
    if (held.revision !== item.revision) await updateSoftwareItem(tx, item);
    return 'same';
  }
  const { component, version, state } = item;
  try {
    if (held === undefined) return await register(tx, item);
    if (held.state !== state) await changeState(tx, item);
    await updateSoftwareItem(tx, item);
    if (!isSame({ ...held, state }, item)) {
      await recordAudit(tx, [
        {
          ...BY,
          type: 'version.changed',
          data: { component, version, origin: ORIGIN, ...attributesOf(item) },
        },
      ]);
    }
    return 'applied';
  } catch (error) {
    if (!(error instanceof PortalError)) throw error;
    const reason = held === undefined ? 'limit-reached' : 'not-allowed';
    return rejection({ component, version }, reason, error.message);
  }
}

async function register(tx: Transaction, item: SoftwareItem): Promise<'applied' | 'same'> {
  await requireRoom(tx, { limit: 'softwareVersions', of: '', existing: allSoftware() });
  // Registered here at the same moment: writing it to the table tells which one is newer.
  if (!(await insertSoftwareItem(tx, item))) return 'same';
  const { component, version, state } = item;
  await refreshCellStates(tx, component);
  await recordAudit(tx, [
    {
      ...BY,
      type: 'version.registered',
      data: { component, version, state, origin: ORIGIN, ...attributesOf(item) },
    },
  ]);
  return 'applied';
}

async function changeState(tx: Transaction, item: SoftwareItem): Promise<void> {
  const { component, version, state } = item;
  // A version never becomes a draft again, which the policy rejects.
  await enterSoftwareState(
    tx,
    { component, version, state: state as 'approved', reason: ORIGIN },
    BY,
  );
}

const attributesOf = ({ models, channel, releasedAt, notes }: SoftwareItem) => ({
  ...{ models, channel, releasedAt, notes },
});

function isSame(held: Known, item: SoftwareItem): boolean {
  const millis = (at: Date | string | null): number | null =>
    at === null ? null : new Date(at).getTime();
  return (
    held.state === item.state &&
    held.channel === item.channel &&
    held.notes === item.notes &&
    millis(held.releasedAt) === millis(item.releasedAt) &&
    JSON.stringify(held.models) === JSON.stringify(item.models)
  );
}
