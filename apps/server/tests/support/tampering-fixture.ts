import { sql, type SQL } from 'drizzle-orm';
import { expect } from 'vitest';
import { createDocument } from '../../src/documents/create-document.ts';
import type { Viewer } from '../../src/platform/viewer.ts';
import { createAirBlastFixture, type AirBlastFixture } from './air-blast/air-blast-fixture.ts';
import { origin, seedDevices, viewerWith } from './command-fixture.ts';
import { createTestDatabase } from './database/create-test-database.ts';
import { publishVersion } from './publish-document.ts';

/** Has a secret parameter and undo steps. */
export const DOCUMENT = 'acme-set-channel';

/** A fixture in which objects are authorized and the database is then modified. */
export interface TamperingFixture extends AsyncDisposable {
  readonly fixture: AirBlastFixture;
  /** Authorizes the objects. */
  readonly operator: Viewer;
  readonly write: (statement: SQL) => Promise<{ readonly rows: readonly object[] }>;
  readonly devices: (count: number) => Promise<string[]>;
  readonly countRuns: () => Promise<number>;
  /** Runs work while the steps or phases of the document contain `EVIL`. */
  readonly whileDocumentIsChanged: (
    part: 'parsed' | 'phases',
    act: () => Promise<void>,
  ) => Promise<void>;
  /** Expects the mismatch to be recorded, and access administrators to be notified. */
  readonly expectReported: (id: string, mismatch: object) => Promise<void>;
}

const step = (name: string): string =>
  `- action: aws:runShellScript\n    name: ${name}\n    inputs: { runCommand: ['true'] }\n`;

export async function openTamperingFixture(): Promise<TamperingFixture> {
  const test = await createTestDatabase();
  const fixture = await createAirBlastFixture(test.database);
  const [operator, manager] = [viewerWith('Administrator'), viewerWith('Administrator')];
  const write = (statement: SQL) => test.database.orm.execute(statement);
  for (const { userId, subject, username } of [operator, manager]) {
    await write(sql`
      insert into portal_user (id, subject, username, name, status, in_admin_group)
      values (${userId}, ${subject}, ${userId}, ${username}, 'Activated', ${userId === manager.userId})`);
  }
  await createDocument(fixture.deps, operator, {
    name: DOCUMENT,
    description: '',
    consequence: 'disrupts',
    secretParameters: ['key'],
    labels: {},
    content: `schemaVersion: '2.2'\nparameters:\n  channel: { type: String }\n  key: { type: String, default: none }\nmainSteps:\n  ${step('set')}`,
    phasesText: `undo:\n  ${step('back')}`,
    note: '',
    origin,
  });
  await publishVersion(fixture.deps, operator, { name: DOCUMENT, version: 1 });
  return {
    ...{ fixture, operator, write },
    devices: (count) =>
      seedDevices(
        test.database,
        Array.from({ length: count }, () => ({})),
      ),
    async countRuns() {
      const { rows } = await write(sql`select count(*)::int as runs from command_run`);
      return (rows[0] as { runs: number }).runs;
    },
    async whileDocumentIsChanged(part, act) {
      const column = sql.raw(part);
      const where = sql`document_name = ${DOCUMENT} and version = 1`;
      const { rows } = await write(
        sql`select ${column} as text from document_version where ${where}`,
      );
      const original = JSON.stringify((rows[0] as { text: object }).text);
      const set = (text: string) =>
        write(sql`update document_version set ${column} = ${text}::json where ${where}`);
      await set(original.replace('"true"', '"EVIL"'));
      await act().finally(() => set(original));
    },
    async expectReported(id, mismatch) {
      const { rows } = await write(sql`
        select data from audit_event where type = 'command.authorization-mismatch' and data->>'id' = ${id}`);
      expect(rows).toMatchObject([{ data: { id, ...mismatch } }]);
      const told = await write(sql`
        select user_id from notification where kind = 'authorization-mismatch' and facts->>'id' = ${id}`);
      expect(told.rows).toEqual([{ user_id: manager.userId }]);
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  };
}
