import { expect, test } from 'vitest';
import type { AthenaQuery } from '../../../platform/aws/aws-package.ts';
import { createAthenaHistory } from './athena-history.ts';
import type { EventConditions } from './history-port.ts';

const files = [
  {
    ...{ file: '2026-08/0123456789abcdef.parquet', month: '2026-08' },
    events: 10,
    firstAt: new Date('2026-08-01T00:00:00Z'),
    lastAt: new Date('2026-08-31T00:00:00Z'),
  },
];
const conditions: EventConditions = {
  ...{ from: null, to: null, deviceId: null, actorId: null, actorKind: null },
  ...{
    requestId: null,
    runId: null,
    caseId: null,
    addresses: null,
    types: [],
    typesWithResult: null,
  },
};

/** Notes the queries, which find nothing. */
function openHistory() {
  const queries: AthenaQuery[] = [];
  const history = createAthenaHistory({
    async runQuery(query) {
      queries.push(query);
      return { ended: 'succeeded', pages: (async function* none() {})() };
    },
    table: { database: 'portal', name: 'months', location: 's3://files/audit-trail/' },
    files: {
      find: async (key) => ({ key, bytes: 1, modifiedAt: new Date(0), revision: '1' }),
    },
    limitMs: 1_000,
  });
  const ask = (more: Partial<EventConditions>) =>
    history.newestEvents({
      ...{ files, before: null, limit: 10 },
      conditions: { ...conditions, ...more },
    });
  return { ask, queries };
}

test('what users enter is a parameter and no part of the SQL', async () => {
  const { ask, queries } = openHistory();
  const entered = `x' or "actorName" like '%`;
  await ask({
    requestId: entered,
    addresses: [entered],
    types: [`device-event.${entered}.*`, entered],
  });
  expect(queries).toHaveLength(1);
  expect(queries[0]?.sql).not.toContain(entered);
  expect(queries[0]?.values.filter((value) => value.includes(entered))).toHaveLength(4);
});

test('an address of more people than fit into a query needs a person to filter by', async () => {
  const { ask, queries } = openHistory();
  const addresses = Array.from({ length: 501 }, (_, index) => `sealed:${index}`);
  await expect(ask({ addresses })).rejects.toMatchObject({
    code: 2004,
    reason: 'too-many-people',
    facts: { limit: 500 },
  });
  expect(queries).toEqual([]);
});
