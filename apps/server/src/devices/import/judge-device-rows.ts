import { isDeepStrictEqual } from 'node:util';
import type { PortalError } from '@deviceportal/contract/errors';
import type { ImportColumn } from '@deviceportal/contract/imports';
import { reaches, scopesOf, type Scope } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import type { RowProblem, Verdict } from '../../imports/row-kind.ts';
import { findPeopleByEmails } from '../../people/data/find-people-by-emails.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import { lockDevicesBySerial } from '../data/enrollment/device-batch-queries.ts';
import { gainedPermissions, permissionsGainedError } from '../gained-permissions.ts';
import type { GivenDevice } from './parse-device-row.ts';

/** What an import writes of a device. */
export interface DeviceValues {
  readonly serialNumber: string;
  readonly name: string;
  readonly model: string | null;
  readonly ownerId: string | null;
  readonly country: string | null;
  readonly labels: Readonly<Record<string, string>>;
}

type KnownDevice = Awaited<ReturnType<typeof lockDevicesBySerial>>[number];

/**
 * Checks rows against stored devices, which are locked. Owners are matched only among the people whose names the caller
 * can see, so an email address reveals nothing about other people.
 */
export async function judgeDeviceRows(
  tx: Transaction,
  caller: Caller,
  rows: readonly GivenDevice[],
): Promise<readonly Verdict<DeviceValues>[]> {
  const devices = await lockDevicesBySerial(
    tx,
    rows.map(({ serialNumber }) => serialNumber),
  );
  const known = new Map(devices.map((device) => [device.serialNumber, device]));
  const emails = rows.flatMap(({ ownerEmail }) =>
    ownerEmail === null ? [] : [ownerEmail.toLowerCase()],
  );
  const owners = await findPeopleByEmails(tx, caller.viewer, emails);
  const scopes = scopesOf(caller.viewer.grants, ['devices:manage']);
  return rows.map((given) => {
    const device = known.get(given.serialNumber);
    const ownerId =
      given.ownerEmail === null ? null : (owners.get(given.ownerEmail.toLowerCase()) ?? null);
    const after = merged(given, ownerId, device);
    const problem = problemOf({ caller, scopes }, { given, device, ownerId, after });
    return problem === undefined
      ? verdictOf(device, after)
      : { outcome: 'refused' as const, problem };
  });
}

function verdictOf(device: KnownDevice | undefined, after: DeviceValues): Verdict<DeviceValues> {
  if (device === undefined) return { outcome: 'new', targetId: null, before: null, after };
  const before = valuesOf(device);
  const outcome = isDeepStrictEqual(before, after) ? 'unchanged' : 'changed';
  return { outcome, targetId: device.id, before, after };
}

export const valuesOf = (device: KnownDevice): DeviceValues => ({
  serialNumber: device.serialNumber ?? '',
  ...{ name: device.name, model: device.model, ownerId: device.ownerId },
  ...{ country: device.country, labels: device.labels },
});

/** Empty cells do not change stored values. */
const merged = (
  given: GivenDevice,
  ownerId: string | null,
  device: KnownDevice | undefined,
): DeviceValues => ({
  serialNumber: given.serialNumber,
  name: given.name ?? device?.name ?? given.serialNumber,
  model: given.model ?? device?.model ?? null,
  ownerId: ownerId ?? device?.ownerId ?? null,
  country: given.country ?? device?.country ?? null,
  labels: given.labels ?? device?.labels ?? {},
});

/** The first problem of a row with valid values. */
function problemOf(
  { caller, scopes }: { readonly caller: Caller; readonly scopes: readonly Scope[] },
  row: {
    readonly given: GivenDevice;
    readonly device: KnownDevice | undefined;
    readonly ownerId: string | null;
    readonly after: DeviceValues;
  },
): RowProblem | undefined {
  const { given, device, ownerId, after } = row;
  const at = (column: ImportColumn | null, refusal: PortalError): RowProblem => ({
    column,
    refusal,
  });
  // A device outside the caller's scope does not exist for them, so the problem is the same for both.
  if ((device !== undefined && !reaches(scopes, device)) || !reaches(scopes, after))
    return at(null, refuse('import-out-of-reach'));
  const gained =
    device === undefined ? [] : gainedPermissions(caller.viewer, { before: device, after });
  if (gained.length > 0) return at(null, permissionsGainedError(gained));
  if (device?.lifecycle === 'retired') return at('serialNumber', refuse('device-retired'));
  if (given.ownerEmail === null || ownerId !== null) return undefined;
  return at('ownerEmail', refuse('owner-email-unknown', { facts: { email: given.ownerEmail } }));
}
