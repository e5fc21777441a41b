import {
  dataSources,
  type DataSource,
  type DataSourceView,
} from '@deviceportal/contract/data-sources';

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

const table = (name: string): Partial<DataSourceView> => ({
  systems: [{ product: 'Amazon DynamoDB', name }],
  incoming: { lastAt: ago(0.2), delayMs: 800, waitingCount: null },
  outgoing: { lastAt: ago(3), delayMs: 0, waitingCount: 0 },
  feed: {
    ...{ table: name, since: ago(50_000), reads: 'changes', lagMs: 800 },
    ...{ lastReadAt: ago(0.2), lastChangeAt: ago(3), lastWriteAt: ago(3) },
    ...{ appliedCount: 48_211, writtenCount: 312_004, waitingCount: 0, rejectedCount: 0 },
    ...{ rejected: [], writesAll: false, fullSince: null },
    ...{ readFault: null, writeFault: null, lastFault: null },
  },
});

const calls = { count: 18_204, failedCount: 0 };

const outside: Readonly<Partial<Record<DataSource, Partial<DataSourceView>>>> = {
  database: {
    systems: [
      {
        product: 'PostgreSQL',
        name: 'portal-db.cluster-abc.eu-central-1.rds.amazonaws.com:5432/portal',
      },
      { product: 'AWS Secrets Manager', name: 'device-portal/database' },
    ],
  },
  'software-versions': table('device-portal-software-versions'),
  'device-versions': { ...table('device-portal-device-versions'), state: 'reading' },
  geolocations: failingTable(),
  analytics: { systems: [{ product: 'Amazon Athena', name: 'device-portal' }], calls },
  'audit-trail-queue': {
    state: 'delayed',
    systems: [
      {
        product: 'Amazon SQS',
        name: 'https://sqs.eu-central-1.amazonaws.com/123456789012/device-events',
      },
    ],
    incoming: { lastAt: ago(0.1), delayMs: 312_000, waitingCount: 41_500 },
    calls,
  },
  'user-pool': {
    ...{ state: 'unmonitored', lastAnswerAt: null },
    systems: [{ product: 'Amazon Cognito', name: 'eu-central-1_AbCdEfGhI' }],
  },
  'air-blast-role': {
    ...{ state: 'unused', lastAnswerAt: null },
    systems: [
      {
        product: 'AWS Security Token Service',
        name: 'arn:aws:iam::123456789012:role/deviceportal/air-blast',
      },
    ],
  },
};

function failingTable(): Partial<DataSourceView> {
  const { feed = null, ...rest } = table('device-portal-geolocations');
  const text =
    'AccessDeniedException: User arn:aws:sts::123456789012:assumed-role/portal is not authorized to perform dynamodb:GetRecords';
  return {
    ...rest,
    state: 'failing',
    fault: { reason: 'access-denied', text, since: ago(42), server: null },
    incoming: { lastAt: ago(42), delayMs: 42 * 60_000, waitingCount: null },
    outgoing: { lastAt: ago(42), delayMs: 41 * 60_000, waitingCount: 3_120 },
    feed: feed && {
      ...{ ...feed, readFault: text, lastFault: { text, at: ago(1) }, rejectedCount: 2 },
      rejected: [
        {
          key: '01900000-0000-7000-8000-00000000000a 2026-11-26T09:00:00.000Z',
          ...{ reason: 'invalid', detail: 'latitude: expected number', at: ago(90) },
        },
        {
          key: '01900000-0000-7000-8000-00000000000b 2026-11-26T09:00:00.000Z',
          ...{ reason: 'unknown-device', detail: '', at: ago(91) },
        },
      ],
    },
  };
}

/** What an installation answers whose data sources are outside it, in every state. */
export const outsideSystems = (): readonly DataSourceView[] =>
  dataSources.map((source) => ({
    ...{ source, setting: `DEVICEPORTAL_${source.replaceAll('-', '_').toUpperCase()}` },
    place: outside[source] === undefined ? 'embedded' : 'outside',
    state: outside[source] === undefined ? 'embedded' : 'working',
    ...{ systems: [], fault: null, incoming: null, outgoing: null, calls: null, feed: null },
    lastAnswerAt: outside[source] === undefined ? null : ago(0.1),
    ...outside[source],
  }));
