import { recordAudit } from '../../audit-trail/record-audit.ts';
import { applyDisconnects, lockConnectivity } from '../../devices/data/apply-connectivity.ts';
import {
  lockConnectionEvents,
  writeConnectionEvents,
} from '../../devices/data/connections/connection-events.ts';
import { findRegistered } from '../../devices/data/connections/registered-certificates.ts';
import { inTransaction, type Transaction } from '../../platform/database/database.ts';
import { retryWhileAway } from '../../platform/database/errors/database-fault.ts';
import { admitDevices } from '../admit-devices.ts';
import type { ConnectRequest } from '../device-transport.ts';
import type { GatewayDependencies } from '../gateway-dependencies.ts';
import { auditOf, changesOf } from '../ingest-status.ts';
import { MicroBatcher } from '../micro-batcher.ts';
import type { RefusalRecorder } from '../record-refusals.ts';
import { isNewerEvent } from './connection-order.ts';
import type { ConnectionReport } from './connection-report.ts';

const BATCH_WAIT_MS = 5;
const MAX_BATCH = 2_000;

/**
 * Processes connection events of AWS IoT. An end makes the device offline. A beginning is checked as the embedded
 * broker checks it before it accepts a connection; the birth message of the device, which follows, makes it online.
 */
export class ConnectionIngest implements AsyncDisposable {
  readonly #deps: GatewayDependencies;
  readonly #refusals: Pick<RefusalRecorder, 'record'>;
  readonly #stop = new AbortController();
  readonly #batcher: MicroBatcher<ConnectionReport>;

  constructor(deps: GatewayDependencies, refusals: Pick<RefusalRecorder, 'record'>) {
    this.#deps = deps;
    this.#refusals = refusals;
    this.#batcher = new MicroBatcher({
      waitMs: BATCH_WAIT_MS,
      maxItems: MAX_BATCH,
      handle: (reports) => this.#handle(reports),
    });
  }

  /** Resolves when the report is stored. */
  take(report: ConnectionReport): Promise<void> {
    return this.#batcher.add(report);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#batcher[Symbol.asyncDispose]();
  }

  async #handle(reports: readonly ConnectionReport[]): Promise<void> {
    const { logger } = this.#deps;
    try {
      await retryWhileAway(() => this.#apply(reports), {
        signal: this.#stop.signal,
        onFault: (error) =>
          logger.warn({ err: error }, 'database unavailable; connection events queued'),
      });
    } catch (error) {
      if (!this.#stop.signal.aborted) logger.error({ err: error }, 'connection event write failed');
    }
  }

  async #apply(reports: readonly ConnectionReport[]): Promise<void> {
    const { database, changes } = this.#deps;
    const { news, changed } = await inTransaction(database, async (tx) => {
      const found = await storeNewest(tx, reports);
      const ends = found.filter(({ isConnected }) => !isConnected);
      const ended = await applyDisconnects(tx, ends.map(toDisconnect));
      await recordAudit(tx, ended.flatMap(auditOf));
      return { news: found, changed: ended };
    });
    changes.publish(changesOf(changed));
    await this.#admit(news.filter(({ isConnected }) => isConnected));
  }

  async #admit(beginnings: readonly ConnectionReport[]): Promise<void> {
    if (beginnings.length === 0) return;
    const { database, transport } = this.#deps;
    const rows = await findRegistered(
      database.orm,
      beginnings.map(({ fingerprint }) => fingerprint),
    );
    const certificates = new Map(rows.map((row) => [row.fingerprint, row]));
    const requests = beginnings.map(({ deviceId, fingerprint, address }): ConnectRequest => {
      const certificate = certificates.get(fingerprint);
      return {
        ...{ deviceId, fingerprint, address },
        instanceId: certificate?.instanceId ?? null,
        certificateStartsAt: certificate?.startsAt.toISOString() ?? null,
        certificateEndsAt: certificate?.endsAt.toISOString() ?? null,
      };
    });
    const answers = await admitDevices(this.#deps, this.#refusals, requests);
    const idsWhere = (wanted: (request: ConnectRequest, isAdmitted: boolean) => boolean) =>
      requests
        .filter((request, index) => wanted(request, answers[index] === true))
        .map(({ deviceId }) => deviceId);
    transport.disconnect(idsWhere((_request, isAdmitted) => !isAdmitted));
    // A renewed certificate that is used for the first time replaces the earlier one.
    transport.settleCertificates?.(
      idsWhere(({ instanceId }, isAdmitted) => isAdmitted && instanceId !== null),
    );
  }
}

/** Stores the newest report of each device, and returns those that are newer than what was known. */
async function storeNewest(
  tx: Transaction,
  reports: readonly ConnectionReport[],
): Promise<ConnectionReport[]> {
  const deviceIds = [...new Set(reports.map(({ deviceId }) => deviceId))];
  // Also orders writers of devices without an event.
  await lockConnectivity(tx, deviceIds);
  const known = await lockConnectionEvents(tx, deviceIds);
  const newest = new Map<string, ConnectionReport>();
  for (const report of reports) {
    const { deviceId } = report;
    if (isNewerEvent(report, newest.get(deviceId) ?? known.get(deviceId)))
      newest.set(deviceId, report);
  }
  const news = [...newest.values()];
  await writeConnectionEvents(
    tx,
    news.map(({ deviceId, version, at, isConnected }) => ({ deviceId, version, at, isConnected })),
  );
  return news;
}

const toDisconnect = ({ deviceId, at, isOrderly }: ConnectionReport) => ({
  ...{ deviceId, at, connectionId: null },
  reason: isOrderly ? 'shutdown' : 'connection-lost',
});
