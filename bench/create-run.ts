import { randomBytes, randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import type { CommandTarget } from '@deviceportal/contract/command-targets';
import { newId } from '@deviceportal/contract/ids';
import { PortalError } from '@deviceportal/contract/errors';
import { auditedDevices } from '../apps/server/src/audit-trail/data/audited-devices.ts';
import { recordAuditForDevices } from '../apps/server/src/audit-trail/record-audit-for-devices.ts';
import { createAuditSigner } from '../apps/server/src/audit-trail/audit-signer.ts';
import { systemActor } from '../apps/server/src/audit-trail/record-audit.ts';
import { sealAuditTrail } from '../apps/server/src/audit-trail/sealing/seal-audit-trail.ts';
import {
  builtinConsequences,
  loadBuiltinCommands,
} from '../apps/server/src/commands/catalog/builtin-commands.ts';
import type { CommandsDeps } from '../apps/server/src/commands/commands-deps.ts';
import { createParameterVault } from '../apps/server/src/commands/parameters/parameter-vault.ts';
import { runCommand } from '../apps/server/src/commands/run-command.ts';
import type { TargetAgreement } from '../apps/server/src/commands/target/target-agreement.ts';
import { loadBuiltinDocuments } from '../apps/server/src/documents/load-builtin-documents.ts';
import { createLocalChangeFeed } from '../apps/server/src/platform/change-feed.ts';
import { inTransaction, type Database } from '../apps/server/src/platform/database/database.ts';
import { openBenchDatabase, openTempDir } from './device-fixture.ts';
import { benchRunSigning } from './bench-run-signing.ts';
import { shownTo } from './shown-to.ts';
import { administrator } from './support/administrator.ts';

const MODELS = 20;
const PAST_RUNS = 2_000;

/**
 * How long it takes to preview and to make a run on many devices (frozen, with invocations and audit events, on disk),
 * without and with statistics of the planner, and to refuse one whose devices changed; and what the seal costs. `--devices 5000 --rounds 9`.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      devices: { type: 'string', default: '5000' },
      rounds: { type: 'string', default: '9' },
    },
  });
  const [devices, rounds] = [Number(values.devices), Number(values.rounds)];
  await using resources = new AsyncDisposableStack();
  const database = await openBenchDatabase(resources, await openTempDir(resources));
  // The first series must run without planner statistics.
  await database.pool.query('alter system set autovacuum = off');
  await database.pool.query('select pg_reload_conf()');
  const deps = await prepare(database);
  await seed(database, devices);
  await seedHistory(database);
  const { rows } = await database.pool.query<{ id: string }>('select id from device order by id');
  const deviceIds = rows.map(({ id }) => id);
  const filter: CommandTarget = {
    kind: 'filter',
    filter: { text: '', tokens: [], operation: 'and', targetListId: null },
  };
  const chosen: CommandTarget = { kind: 'devices', deviceIds };
  const [byFilter, byIds] = [await show(deps, filter), await show(deps, chosen)];
  await measure('run by filter, no statistics', rounds, () => run(deps, byFilter));
  await measure('run by ids, no statistics', rounds, () => run(deps, byIds));
  await database.pool.query('vacuum analyze');
  await measure('preview by filter, analysed', rounds, () => show(deps, filter));
  await measure('run by filter, analysed', rounds, () => run(deps, byFilter));
  await measure('run by ids, analysed', rounds, () => run(deps, byIds));
  await database.pool.query("update device set lifecycle = 'suspended' where id = $1", [
    deviceIds[0],
  ]);
  await measure('run refused, analysed', rounds, () => refused(deps, byFilter));
  await measure('audit events alone', rounds, () => record(database, deviceIds));
  await measureSealing(database);
}

async function prepare(database: Database): Promise<CommandsDeps> {
  const clock = (): Date => new Date();
  await loadBuiltinDocuments({ database, clock, consequences: builtinConsequences });
  await loadBuiltinCommands({ database });
  return {
    database,
    clock,
    changes: createLocalChangeFeed((error) => console.error(error)),
    parameters: { read: async () => [] },
    vault: createParameterVault(new Uint8Array(32)),
    signing: benchRunSigning(),
    signArtifactUrl: () => '',
    signResultsUrl: () => '',
  };
}

async function seed({ pool }: Database, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => newId());
  await pool.query(
    `insert into device (id, name, lifecycle, country, model, owner_id, serial_number, serial_rank)
     select id, 'bench', 'active', 'C' || chr(65 + (n % 12)::int), 'M' || n % ${MODELS}, md5((n / 3)::text)::uuid,
       'SN-' || id, 'SN-' || id from unnest($1::uuid[]) with ordinality as device(id, n)`,
    [ids],
  );
  await pool.query(
    `insert into device_instance (id, device_id, state, platform_type, platform_name, platform_version,
       architecture, agent_version, host_name, certificate_fingerprint, certificate_ends_at)
     select 'mi-' || id, id, 'current', 'Linux', 'Bench', '1', 'x64', '1.0.0', 'bench', 'f-' || id,
       now() + interval '90 days' from unnest($1::uuid[]) id`,
    [ids],
  );
  await pool.query(
    `insert into device_status (device_id, name, lifecycle, instance_id)
     select id, 'bench', 'active', 'mi-' || id from unnest($1::uuid[]) id`,
    [ids],
  );
}

interface Shown {
  readonly target: CommandTarget;
  readonly agreement: TargetAgreement;
}

/** Results of earlier runs of the same document, for every model and country. */
async function seedHistory({ pool }: Database): Promise<void> {
  await pool.query(
    `insert into run_outcome (run_id, document_name, document_version, is_undo, model, country, labels, succeeded, failed,
       ended_at)
     select gen_random_uuid(), 'DevicePortal-logs-tail', 1, false, 'M' || run % ${MODELS}, 'C' || chr(65 + country), '{}',
       9, 1, now() - make_interval(mins => run)
     from generate_series(1, $1::int) run, generate_series(0, 11) country`,
    [PAST_RUNS],
  );
}

async function show(deps: CommandsDeps, target: CommandTarget): Promise<Shown> {
  return {
    target,
    agreement: await shownTo(deps, administrator, { command: 'logs/tail', target }),
  };
}

async function run(deps: CommandsDeps, shown: Shown): Promise<void> {
  await runCommand(deps, administrator, {
    command: 'logs/tail',
    document: '',
    ...shown,
    parameters: {},
    maxConcurrency: '10%',
    maxErrors: '0',
    timeoutSeconds: 3_600,
    comment: 'bench',
    confirmation: '',
    idempotencyKey: randomUUID(),
    origin: { requestId: 'bench', address: '127.0.0.1' },
  });
}

/** A device other than the shown one: nothing is written, and the difference is reported. */
async function refused(deps: CommandsDeps, shown: Shown): Promise<void> {
  const error = await run(deps, shown).catch((thrown: unknown) => thrown);
  if (!(error instanceof PortalError) || error.facts['removed'] !== 1)
    throw new Error('the run was not refused for its devices', { cause: error });
}

function record(database: Database, deviceIds: readonly string[]): Promise<void> {
  return inTransaction(database, (tx) =>
    recordAuditForDevices(tx, {
      type: 'command.requested',
      actor: systemActor,
      requestId: 'bench',
      runId: newId(),
      at: new Date(),
      data: { command: 'logs/tail', targets: deviceIds.length, comment: 'bench' },
      devices: auditedDevices(deviceIds.map((deviceId) => ({ deviceId, invocationId: newId() }))),
    }),
  );
}

async function measure(name: string, rounds: number, work: () => Promise<unknown>): Promise<void> {
  const timesMs: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begunMs = performance.now();
    await work();
    timesMs.push(performance.now() - begunMs);
  }
  const [least = 0, ...rest] = timesMs.toSorted((one, other) => one - other);
  const median = rest[Math.floor(rounds / 2) - 1] ?? least;
  console.log(
    `${name}: median ${median.toFixed(0)} ms, least ${least.toFixed(0)}, most ${(rest.at(-1) ?? least).toFixed(0)}`,
  );
}

async function measureSealing(database: Database): Promise<void> {
  const seal = { database, signer: createAuditSigner(randomBytes(32)), clock: () => new Date() };
  const begunMs = performance.now();
  let sealed = 0;
  let batch: number;
  do {
    batch = await sealAuditTrail(seal, 2_000);
    sealed += batch;
  } while (batch > 0);
  const rowUs = ((performance.now() - begunMs) * 1_000) / sealed;
  console.log(`sealing: ${sealed} events, ${rowUs.toFixed(1)} µs each`);
}

await main();
