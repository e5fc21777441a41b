import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { TargetPreview } from '@deviceportal/contract/command-targets';
import type { RunCommandInput } from '@deviceportal/contract/runs';
import { newId, newInstanceId } from '@deviceportal/contract/ids';
import {
  builtinRoles,
  everywhere,
  type Grant,
  type Permission,
  type Scope,
} from '@deviceportal/contract/permissions';
import { ensureBuiltinRoles } from '../../src/access/data/ensure-builtin-roles.ts';
import {
  builtinConsequences,
  loadBuiltinCommands,
} from '../../src/commands/catalog/builtin-commands.ts';
import type { CommandsDeps } from '../../src/commands/commands-deps.ts';
import { targetSha256 } from '../../src/commands/target/resolve-target.ts';
import { createParameterVault } from '../../src/commands/parameters/parameter-vault.ts';
import type { RunCommand } from '../../src/commands/run-command.ts';
import type { TargetAgreement } from '../../src/commands/target/target-agreement.ts';
import { loadBuiltinDocuments } from '../../src/documents/load-builtin-documents.ts';
import { createLocalChangeFeed, type Change } from '../../src/platform/change-feed.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { isWanted, type NamedParameter } from '../../src/platform/parameters/parameter-port.ts';
import type { StepUpGate } from '../../src/platform/step-up-gate.ts';
import type { RequestOrigin, Viewer } from '../../src/platform/viewer.ts';
import { testRunSigning } from './run-signing.ts';

/** The gate of a session with a fresh second step. */
export const confirmedSession: StepUpGate = { require: async () => {} };

export const origin: RequestOrigin = { requestId: 'request-1', address: '192.0.2.7' };

/** A user with a built-in role, everywhere or within a scope. */
export function viewerWith(role: string, scope: Scope = everywhere): Viewer {
  const { permissions } = builtinRoles.find(({ name }) => name === role) ?? { permissions: [] };
  return viewerHolding([{ permissions, scope }], role);
}

export function viewerHolding(grants: readonly Grant[], name = 'custom'): Viewer {
  const userId = newId();
  return {
    userId,
    subject: userId,
    username: `${name.toLowerCase()}@deviceportal.local`,
    displayName: name,
    email: null,
    roles: [name],
    grants,
    admitted: true,
    signedInAt: new Date(),
  };
}

export const may = (permissions: readonly Permission[], scope: Scope = everywhere): Grant => ({
  permissions,
  scope,
});

export interface SeededDevice {
  readonly id?: string;
  readonly serialNumber?: string | null;
  readonly name?: string;
  readonly country?: string;
  readonly model?: string;
  readonly lifecycle?: string;
  readonly connectivity?: string;
  /** `agent` by default. */
  readonly engine?: string;
  /** False creates the device without a current instance. */
  readonly enrolled?: boolean;
}

/** Inserts devices in three statements. Returns their ids in the same order. */
export async function seedDevices(
  database: Database,
  devices: readonly SeededDevice[],
): Promise<string[]> {
  const rows = devices.map((device, index) => {
    const id = device.id ?? newId();
    const tail = id.slice(-8).toUpperCase();
    return {
      id,
      serial: device.serialNumber === undefined ? `SN-${tail}-${index}` : device.serialNumber,
      name: device.name ?? `device ${index}`,
      country: device.country ?? 'DE',
      model: device.model ?? 'M1',
      lifecycle: device.lifecycle ?? 'active',
      connectivity: device.connectivity ?? 'online',
      enrolled: device.enrolled ?? true,
      engine: device.engine ?? 'agent',
      instance: newInstanceId(),
    };
  });
  const seed = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as seed(
    id uuid, serial text, name text, country text, model text, lifecycle text, connectivity text,
    enrolled boolean, engine text, instance text)`;
  await database.orm.execute(sql`
    insert into device (id, serial_number, name, country, model, lifecycle, engine, serial_rank, search_text)
    select id, serial, name, country, model, lifecycle, engine, coalesce(serial, '~' || id),
           lower(concat_ws(' ', serial, name, model)) from ${seed}`);
  await database.orm.execute(sql`
    insert into device_status (device_id, connectivity, instance_id, country, model, lifecycle, serial_rank, name)
    select id, connectivity, instance, country, model, lifecycle, coalesce(serial, '~' || id), name from ${seed}`);
  await database.orm.execute(sql`
    insert into device_instance (id, device_id, state, platform_type, platform_name, platform_version, architecture,
                                 agent_version, host_name, certificate_fingerprint, certificate_ends_at)
    select instance, id, 'current', 'Linux', 'Debian', '13', 'x64', '0.1.0', name, instance, now() + interval '90 days'
    from ${seed} where enrolled`);
  return rows.map(({ id }) => id);
}

export interface CommandFixture {
  readonly deps: CommandsDeps;
  /** Changes published since the fixture was created. */
  readonly published: Change[];
  /** Content of the parameter store; empty at first. */
  readonly stored: NamedParameter[];
  setNow(now: Date | null): void;
}

export async function createCommandFixture(database: Database): Promise<CommandFixture> {
  let fixed: Date | null = null;
  const clock = (): Date => fixed ?? new Date();
  const published: Change[] = [];
  const stored: NamedParameter[] = [];
  const changes = createLocalChangeFeed((error) => {
    throw error;
  });
  changes.subscribe((change) => published.push(change));
  await ensureBuiltinRoles({ database });
  await loadBuiltinDocuments({ database, clock, consequences: builtinConsequences });
  await loadBuiltinCommands({ database });
  return {
    deps: {
      database,
      changes,
      clock,
      parameters: {
        read: async (wanted) =>
          wanted.flatMap((one) => stored.filter((found) => isWanted(found, one)).slice(0, 1)),
      },
      signing: testRunSigning(),
      vault: createParameterVault(createHash('sha256').update('test').digest()),
      signArtifactUrl: (id) => `/artefacts/${id}?signed`,
      signResultsUrl: ({ runId, format }) => `/run-results/${runId}.${format}?signed`,
    },
    published,
    stored,
    setNow: (now) => {
      fixed = now;
    },
  };
}

/** Sufficient for one device selected by its id. */
export const nothingShown: TargetAgreement = { kind: 'shown', sha256: null, count: null };

/** Exactly these devices, as if they had been previewed. */
export const shownDevices = (deviceIds: readonly string[]): TargetAgreement => ({
  kind: 'shown',
  sha256: targetSha256(deviceIds.toSorted()),
  count: deviceIds.length,
});

/** The devices of a preview. */
export const shownBy = ({
  sha256,
  count,
}: Pick<TargetPreview, 'sha256' | 'count'>): TargetAgreement => ({ kind: 'shown', sha256, count });

type RunOverrides = Partial<Omit<RunCommandInput, 'targetSha256' | 'targetCount'>> &
  Pick<RunCommandInput, 'command'> & { readonly agreement?: TargetAgreement };

/** A run request with defaults for everything else: devices selected by ids were previewed. */
export function runInput(input: RunOverrides): RunCommand {
  const { target = null } = input;
  return {
    document: '',
    target,
    agreement: target?.kind === 'devices' ? shownDevices(target.deviceIds) : nothingShown,
    parameters: {},
    maxConcurrency: '50',
    maxErrors: '0',
    timeoutSeconds: 3_600,
    comment: '',
    confirmation: '',
    idempotencyKey: randomUUID(),
    origin,
    ...input,
  };
}
