import type { z } from 'zod';
import type {
  CreatedClaim,
  importDevicesInput,
  ImportDevicesResult,
  ImportProblem,
} from '@deviceportal/contract/devices';
import type { PortalError } from '@deviceportal/contract/errors';
import { reaches, scopesOf } from '@deviceportal/contract/permissions';
import { refuse } from '@deviceportal/contract/refuse';
import {
  findRequiredAccessGrant,
  wherever,
} from '../../access/access-grants/find-required-access-grant.ts';
import { actorOf, recordAudit } from '../../audit-trail/record-audit.ts';
import { findPeopleByEmails } from '../../people/data/find-people-by-emails.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import type { Caller } from '../../platform/viewer.ts';
import { claimFacts, issueClaim } from '../claims/issue-claim.ts';
import { insertDevices } from './create-devices.ts';
import { lockDevicesBySerial, updateDeviceBatch } from '../data/enrollment/device-batch-queries.ts';
import { refreshDeviceCopies } from '../data/refresh-device-copies.ts';
import type { DevicesDependencies } from '../devices-dependencies.ts';
import { gainedPermissions, permissionsGainedError } from '../gained-permissions.ts';
import { importProblem } from './import-problem.ts';
import { parseImport, type ImportLine } from './parse-import.ts';

const HOUR_MS = 3_600_000;

type KnownDevice = Awaited<ReturnType<typeof lockDevicesBySerial>>[number];

interface CheckedLine extends ImportLine {
  readonly ownerId: string | null;
  readonly known: KnownDevice | null;
}

/**
 * Creates or updates devices from the valid lines of a CSV, and creates one claim that enrolls exactly the new ones.
 * Invalid lines are reported and skipped. Owners are matched only among the people whose names the caller can see, so
 * an email address reveals nothing about other people.
 */
export async function importDevices(
  deps: DevicesDependencies,
  caller: Caller,
  input: z.infer<typeof importDevicesInput>,
): Promise<ImportDevicesResult> {
  const parsed = parseImport(input.csv);
  const outcome = await inTransaction(deps.database, async (tx) => {
    const { good, problems } = await checkLines(tx, caller, parsed.lines);
    const all = [...parsed.problems, ...problems].toSorted((one, other) => one.line - other.line);
    const fresh = good.filter((line) => line.known === null);
    const known = good.filter((line) => line.known !== null);
    const counts = { created: fresh.length, updated: known.length, problems: all };
    if (input.dryRun) return { ...counts, claim: null, changed: [] };
    const created = await createLines(tx, caller, fresh);
    const updated = await updateLines(tx, caller, known);
    const claim =
      created.length === 0 ? null : await claimFor(deps, tx, { caller, created, input });
    return { ...counts, claim, changed: [...created, ...updated] };
  });
  const { changed, ...result } = outcome;
  if (changed.length > 0) {
    deps.changes.publish([
      { kind: 'device-changed', deviceIds: changed },
      { kind: 'audit-trail', deviceIds: changed },
    ]);
  }
  return result;
}

async function checkLines(
  tx: Transaction,
  caller: Caller,
  lines: readonly ImportLine[],
): Promise<{ good: CheckedLine[]; problems: ImportProblem[] }> {
  const serials = lines.map((line) => line.serialNumber);
  const emails = lines.flatMap((line) =>
    line.ownerEmail === null ? [] : [line.ownerEmail.toLowerCase()],
  );
  const devices = await lockDevicesBySerial(tx, serials);
  const known = new Map(devices.map((row) => [row.serialNumber, row]));
  const owners = await findPeopleByEmails(tx, caller.viewer, emails);
  const scopes = scopesOf(caller.viewer.grants, ['devices:manage']);
  const good: CheckedLine[] = [];
  const problems: ImportProblem[] = [];
  for (const line of lines) {
    const device = known.get(line.serialNumber) ?? null;
    const ownerId =
      line.ownerEmail === null ? null : (owners.get(line.ownerEmail.toLowerCase()) ?? null);
    const wrong = problemOf(caller, scopes, { ...line, ownerId, known: device });
    if (wrong !== undefined) {
      problems.push(wrong);
    } else {
      good.push({ ...line, ownerId, known: device });
    }
  }
  return { good, problems };
}

/** The first problem of a line with valid values. */
function problemOf(
  { viewer }: Caller,
  scopes: ReturnType<typeof scopesOf>,
  line: CheckedLine,
): ImportProblem | undefined {
  const { known, ownerEmail, ownerId } = line;
  const at = (column: ImportProblem['column'], refusal: PortalError): ImportProblem =>
    importProblem({ line: line.line, column }, refusal);
  // A device outside the caller's scope does not exist for them, so the problem is the same for both.
  if ((known !== null && !reaches(scopes, known)) || !reaches(scopes, line))
    return at(null, refuse('import-out-of-reach'));
  const change = known && { before: known, after: merged(known, line) };
  const gained = change === null ? [] : gainedPermissions(viewer, change);
  if (gained.length > 0) return at(null, permissionsGainedError(gained));
  if (known?.lifecycle === 'retired') return at('serialNumber', refuse('device-retired'));
  if (ownerEmail === null || ownerId !== null) return undefined;
  return at('ownerEmail', refuse('owner-email-unknown', { facts: { email: ownerEmail } }));
}

/** Empty cells do not change stored values. */
const merged = (device: KnownDevice, { country, model, labels }: ImportLine) => ({
  country: country ?? device.country,
  model: model ?? device.model,
  labels: Object.keys(labels).length === 0 ? device.labels : labels,
});

async function createLines(
  tx: Transaction,
  caller: Caller,
  lines: readonly CheckedLine[],
): Promise<string[]> {
  const created = await insertDevices(
    tx,
    {
      people: [],
      devices: lines.map((line) => ({
        ...line,
        name: line.name === '' ? line.serialNumber : line.name,
      })),
    },
    { actor: actorOf(caller.viewer, caller), requestId: caller.requestId },
  );
  return [...created.values()];
}

/** Empty cells do not change stored values. */
async function updateLines(
  tx: Transaction,
  caller: Caller,
  lines: readonly CheckedLine[],
): Promise<string[]> {
  if (lines.length === 0) return [];
  const rows = lines.flatMap(({ known, name, model, ownerId, country, labels }) =>
    known === null
      ? []
      : [
          {
            ...{ id: known.id, name: name === '' ? null : name, model, ownerId, country },
            labels: Object.keys(labels).length === 0 ? null : labels,
          },
        ],
  );
  const ids = await updateDeviceBatch(tx, rows);
  await refreshDeviceCopies(tx, ids);
  const actor = actorOf(caller.viewer, caller);
  await recordAudit(
    tx,
    rows.map(({ id, ownerId, ...after }) => ({
      type: 'device.updated' as const,
      actor,
      deviceId: id,
      requestId: caller.requestId,
      data: { by: 'import', after: { ...after, owner_id: ownerId } },
    })),
  );
  return ids;
}

async function claimFor(
  deps: DevicesDependencies,
  tx: Transaction,
  what: {
    readonly caller: Caller;
    readonly created: readonly string[];
    readonly input: z.infer<typeof importDevicesInput>;
  },
): Promise<CreatedClaim> {
  const { caller, created, input } = what;
  const expiresAt = new Date(deps.clock().getTime() + input.lifetimeHours * HOUR_MS);
  const claim = await issueClaim(tx, {
    model: null,
    ownerId: null,
    country: null,
    labels: {},
    uses: created.length,
    expiresAt,
    createdBy: caller.viewer.username,
    createdById: caller.viewer.userId,
    deviceId: null,
    recordedDeviceIds: created,
    bond: await findRequiredAccessGrant(
      tx,
      caller.viewer,
      wherever(caller.viewer, ['devices:manage']),
    ),
  });
  await recordAudit(tx, [
    {
      type: 'device.claim-created',
      actor: actorOf(caller.viewer, caller),
      requestId: caller.requestId,
      data: { ...claimFacts(claim), uses: created.length },
    },
  ]);
  return {
    ...claim,
    uses: created.length,
    installCommand: await deps.installCommand(claim.token),
    deviceId: null,
  };
}
