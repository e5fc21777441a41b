import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { AuditType } from '@deviceportal/contract/audit-trail';
import type { Permission, Scope } from '@deviceportal/contract/permissions';
import { webhookBodySchema } from '@deviceportal/contract/webhook-events';
import { webhookEventTypes, type WebhookEventType } from '@deviceportal/contract/webhooks';
import { readObjects } from '../../src/api/public/objects/read-objects.ts';
import { recordAudit, systemActor } from '../../src/audit-trail/record-audit.ts';
import { createTextVault } from '../../src/commands/output/text-vault.ts';
import { createParameterVault } from '../../src/commands/parameters/parameter-vault.ts';
import { createLocalChangeFeed } from '../../src/platform/change-feed.ts';
import { inTransaction, type Database } from '../../src/platform/database/database.ts';
import { internalHostsOf } from '../../src/platform/outside/internal-hosts.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { getWebhook } from '../../src/webhooks/list-webhooks.ts';
import { prepareDeliveries } from '../../src/webhooks/prepare-deliveries.ts';
import { createWebhook } from '../../src/webhooks/save-webhook.ts';
import { deliverWebhooks } from '../../src/webhooks/sending/deliver-webhooks.ts';
import type { SendWebhooksDeps } from '../../src/webhooks/webhooks-deps.ts';
import type { Received } from '../alerts/alerts-fixture.ts';
import { sealAll } from '../support/audit/audit-signer.ts';
import { may, origin, viewerHolding } from '../support/command-fixture.ts';
import type { TestDatabase } from '../support/database/create-test-database.ts';

const MINUTE_MS = 60_000;

export const reading: readonly Permission[] = [
  ...(['webhooks:manage', 'devices:read', 'commands:read', 'alerts:read'] as const),
  ...(['cases:read', 'people:read'] as const),
];

/** Webhooks on a database, with a clock of their own. */
export class WebhooksFixture {
  readonly test: TestDatabase;
  readonly deps: SendWebhooksDeps;
  readonly errors: unknown[] = [];
  /** Current permissions of owners, by `sub`. */
  readonly owners = new Map<string, Viewer>();
  #nowMs = Date.now();

  constructor(test: TestDatabase, internal: readonly string[] = ['127.0.0.1']) {
    this.test = test;
    const { database } = test;
    const clock = () => new Date(this.#nowMs);
    const vault = createParameterVault(randomBytes(32));
    const shown = (output: unknown) => output;
    this.deps = {
      ...{ database, clock, changes: createLocalChangeFeed(() => {}) },
      alerts: {
        vault: createTextVault(randomBytes(32)),
        internalHosts: internalHostsOf(internal),
      },
      findOwner: async (subject) => this.owners.get(subject),
      readObjects: (viewer, wanted) =>
        readObjects({ database, vault, clock, shown }, viewer, wanted),
      onError: (error) => void this.errors.push(error),
    };
  }

  pass(minutes: number): void {
    this.#nowMs += minutes * MINUTE_MS;
  }

  async owner(scope: Partial<Scope> = {}, permissions = reading): Promise<Viewer> {
    const viewer = viewerHolding([
      may(permissions, { countries: [], models: [], labels: {}, ...scope }),
    ]);
    await this.test.database.orm.execute(sql`
      insert into portal_user (id, subject, username, name)
      values (${viewer.userId}, ${viewer.subject}, ${viewer.userId}, 'Owner')`);
    this.owners.set(viewer.subject, viewer);
    return viewer;
  }

  webhook(
    viewer: Viewer,
    url: string,
    eventTypes: readonly WebhookEventType[] = webhookEventTypes,
  ) {
    const input = { name: 'Inventory', url, eventTypes: [...eventTypes] };
    return createWebhook(this.deps, { ...origin, viewer }, input);
  }

  /** Records events of devices in one transaction, and seals them. */
  async happen(type: AuditType, deviceIds: readonly string[]): Promise<void> {
    await inTransaction(this.test.database, (tx) =>
      recordAudit(
        tx,
        deviceIds.map((deviceId) => ({ type, actor: systemActor, deviceId })),
      ),
    );
    await sealAll(this.test);
  }

  prepare(database: Database = this.test.database): Promise<boolean> {
    return prepareDeliveries({ ...this.deps, database });
  }

  deliver(database: Database = this.test.database): Promise<number> {
    return deliverWebhooks({ ...this.deps, database });
  }

  /** Prepares and sends until nothing is left that is due. */
  async run(): Promise<void> {
    let isBusy = true;
    while (isBusy) {
      isBusy = await this.prepare();
      isBusy = (await this.deliver()) > 0 || isBusy;
    }
  }

  get(viewer: Viewer, id: string) {
    return getWebhook(this.deps, viewer, { id });
  }

  async count(table: string, condition: string): Promise<number> {
    const { rows } = await this.test.database.pool.query<{ n: number }>(
      `select count(*)::int as n from ${table} where ${condition}`,
    );
    return rows[0]?.n ?? 0;
  }
}

/** The events of requests, which have the documented form. */
export function eventsOf(received: readonly Received[]) {
  return received.flatMap(({ body }) => {
    const parsed = webhookBodySchema.parse(JSON.parse(body));
    return parsed.type === 'events' ? parsed.data.events : [];
  });
}
