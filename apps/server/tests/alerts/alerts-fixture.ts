import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { sql } from 'drizzle-orm';
import type { NewAlertRule } from '@deviceportal/contract/alerts';
import type { AlertsDeps } from '../../src/alerts/alerts-deps.ts';
import { createAlertRound } from '../../src/alerts/evaluate-alerts.ts';
import { createRule } from '../../src/alerts/save-rule.ts';
import { deliverAlerts } from '../../src/alerts/sending/deliver-alerts.ts';
import { internalHostsOf } from '../../src/platform/outside/internal-hosts.ts';
import { createTextVault } from '../../src/commands/output/text-vault.ts';
import type { Notice } from '../../src/messages/notice-queue.ts';
import type { Database } from '../../src/platform/database/database.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { may, origin, viewerHolding } from '../support/command-fixture.ts';

const MINUTE_MS = 60_000;

/** Alerts on a database, with a clock of their own. */
export class AlertsFixture {
  readonly database: Database;
  readonly deps: AlertsDeps;
  readonly mails: Notice[] = [];
  readonly errors: unknown[] = [];
  /** Current permissions of owners, by `sub`. */
  readonly owners = new Map<string, Viewer>();
  #nowMs = Date.now();

  constructor(database: Database, internal: readonly string[] = ['127.0.0.1']) {
    this.database = database;
    this.deps = {
      database,
      clock: () => new Date(this.#nowMs),
      publicUrl: 'https://portal.example.com',
      alerts: {
        vault: createTextVault(randomBytes(32)),
        internalHosts: internalHostsOf(internal),
      },
      notices: {
        has: () => true,
        queue: async (_tx, notice) => void this.mails.push(notice),
      },
    };
  }

  pass(minutes: number): void {
    this.#nowMs += minutes * MINUTE_MS;
  }

  /** A user who may have rules, by default about all devices. */
  async owner(scope = {}, permissions = ['alerts:manage', 'devices:read'] as const) {
    const viewer = viewerHolding([
      may(permissions, { countries: [], models: [], labels: {}, ...scope }),
    ]);
    await this.database.orm.execute(sql`
      insert into portal_user (id, subject, username, name)
      values (${viewer.userId}, ${viewer.subject}, ${viewer.userId}, 'Owner')`);
    this.owners.set(viewer.subject, viewer);
    return viewer;
  }

  async rule(viewer: Viewer, part: Partial<NewAlertRule> = {}) {
    return createRule(this.deps, { ...origin, viewer }, { ...offlineRule, ...part });
  }

  /** One round of evaluation, with the deliveries that are due. */
  async evaluate(database: Database = this.database): Promise<void> {
    const round = createAlertRound({
      database,
      clock: this.deps.clock,
      findOwner: async (subject) => this.owners.get(subject),
      onError: (error) => void this.errors.push(error),
    });
    this.pass(0.2);
    await round();
  }

  /** Rounds until a state that lasts a minute has its effect. */
  async settle(): Promise<void> {
    await this.evaluate();
    this.pass(1);
    await this.evaluate();
  }

  deliver(database: Database = this.database): Promise<number> {
    return deliverAlerts({ ...this.deps, database });
  }

  async setOffline(deviceIds: readonly string[], minutes: number): Promise<void> {
    const since = new Date(this.#nowMs - minutes * MINUTE_MS).toISOString();
    await this.database.orm.execute(sql`
      update device_status set connectivity = 'offline', connectivity_since = ${since}::timestamptz
      where device_id = any(${`{${deviceIds.join(',')}}`}::uuid[])`);
  }

  async setOnline(deviceIds: readonly string[]): Promise<void> {
    await this.database.orm.execute(sql`
      update device_status set connectivity = 'online', connectivity_since = now()
      where device_id = any(${`{${deviceIds.join(',')}}`}::uuid[])`);
  }

  async count(table: string, condition: string): Promise<number> {
    const { rows } = await this.database.pool.query<{ n: number }>(
      `select count(*)::int as n from ${table} where ${condition}`,
    );
    return rows[0]?.n ?? 0;
  }
}

/** Fires if more than one device is offline for five minutes, and resolves after one. */
export const offlineRule: NewAlertRule = {
  ...{ name: 'Offline lockers', severity: 'critical', enabled: true, destinations: [] },
  filter: { text: '', tokens: [], operation: 'and', targetListId: null },
  condition: { kind: 'offline', minutes: 5 },
  ...{ unit: 'devices', above: 1, resolveAt: 1, holdMinutes: 0, resolveMinutes: 1 },
  ...{ excludesChanging: true, maintenance: [], opensCase: false },
};

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver of webhooks on this machine. */
export async function startReceiver() {
  const received: Received[] = [];
  const answers = { status: 200 };
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.writeHead(answers.status, { location: 'http://127.0.0.1:1/' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    received,
    answers,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
