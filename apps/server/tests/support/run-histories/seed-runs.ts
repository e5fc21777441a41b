import { newId, newInstanceId } from '@deviceportal/contract/ids';
import type { Database } from '../../../src/platform/database/database.ts';
import { seedDevices, seedRun } from '../gateway-fixture.ts';
import { DELIVERY_SECONDS, EXECUTION_SECONDS, type History } from './history.ts';
import { ModelDevice } from './model-device.ts';
import type { ModelRun } from './model-run.ts';

/** Inserts the runs of many histories with a device for each target, in a few statements. */
export async function seedRuns(
  database: Database,
  histories: readonly History[],
): Promise<ModelRun[]> {
  // Inserts the document.
  await seedRun(database, { deviceIds: [] });
  const runs = histories.map((history): ModelRun => ({
    history,
    runId: newId(),
    invocationIds: history.devices.map(() => newId()),
    devices: history.devices.map((state) => new ModelDevice(newId(), newInstanceId(), state)),
    aheadMs: 0,
  }));
  await seedDevices(
    database,
    runs.flatMap(({ devices }) =>
      devices.map(({ deviceId, instanceId, isOnline }) => ({
        deviceId,
        instanceId,
        name: 'device',
        connectivity: isOnline ? 'online' : 'offline',
      })),
    ),
  );
  await insertRuns(database, runs);
  await insertInvocations(database, runs);
  return runs;
}

async function insertRuns({ pool }: Database, runs: readonly ModelRun[]): Promise<void> {
  await pool.query(
    `insert into command_run (id, idempotency_key, command, document_name, document_version, document_sha256,
       consequence, target, target_sha256, max_concurrency, max_errors, timeout_seconds, execution_timeout_seconds,
       state, status_details, target_count, pending_count, created_by_id, created_by, request_id, deliver_before, expires_at)
     select id, id, 'shell', 'test', 1, '', 'reads', '{}', '', concurrency, errors, $5::int, $6::int, 'Pending', 'Pending',
       count, count, id, 'tester', 'r', now() + make_interval(secs => $5), now() + make_interval(secs => $5::int + $6::int)
     from unnest($1::uuid[], $2::text[], $3::text[], $4::int[]) as seed(id, concurrency, errors, count)`,
    [
      runs.map(({ runId }) => runId),
      runs.map(({ history }) => history.maxConcurrency),
      runs.map(({ history }) => history.maxErrors),
      runs.map(({ devices }) => devices.length),
      DELIVERY_SECONDS,
      EXECUTION_SECONDS,
    ],
  );
}

async function insertInvocations({ pool }: Database, runs: readonly ModelRun[]): Promise<void> {
  const all = runs.flatMap(({ runId, devices, invocationIds }) =>
    devices.map(({ deviceId }, position) => ({ runId, deviceId, id: invocationIds[position] })),
  );
  await pool.query(
    `insert into invocation (id, run_id, device_id, state, status_details, queued_at, deliver_before, expires_at)
     select seed.id, run.id, seed.device, 'Pending', 'Pending', now(), run.deliver_before, run.expires_at
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as seed(id, run, device)
     join command_run as run on run.id = seed.run`,
    [all.map(({ id }) => id), all.map(({ runId }) => runId), all.map(({ deviceId }) => deviceId)],
  );
}
