import {
  tableSources,
  type DataSource,
  type DataSourceFault,
  type DataSourceView,
  type TableSource,
} from '@deviceportal/contract/data-sources';
import type { DataSourceConfig } from '../platform/config/config.ts';
import { selectContacts, type SourceContact } from './data/contact-queries.ts';
import type { DataSourcesDeps } from './data-sources-deps.ts';
import { describeFeed } from './describe-feed.ts';
import { faultReason } from './fault-reason.ts';
import { stateOfSource } from './state-of-source.ts';

/** Everything about a data source that is not configured. */
type Heard = Pick<
  DataSourceView,
  'fault' | 'lastAnswerAt' | 'incoming' | 'outgoing' | 'calls' | 'feed'
>;

const nothing: Heard = {
  ...{ fault: null, lastAnswerAt: null, incoming: null, outgoing: null, calls: null, feed: null },
};

/** All data sources, with what answers them and how it does. */
export async function listDataSources(deps: DataSourcesDeps): Promise<readonly DataSourceView[]> {
  const contacts = await selectContacts(deps.database.orm);
  return Promise.all(
    deps.dataSources.map(async ({ isUsed, ...source }) => {
      const heard = await hearOf(deps, source, contacts);
      const isCalled = heard.lastAnswerAt !== null || !byBrowsers.has(source.source);
      return {
        ...source,
        ...heard,
        state: stateOfSource({ ...source, ...heard, isUsed, isCalled }),
      };
    }),
  );
}

/** Systems that browsers call, and servers only for some actions. */
const byBrowsers: ReadonlySet<DataSource> = new Set(['user-pool', 'identity-pool']);

async function hearOf(
  deps: DataSourcesDeps,
  { source, place, systems }: Omit<DataSourceConfig, 'isUsed'>,
  contacts: readonly SourceContact[],
): Promise<Heard> {
  if (place === 'embedded') return nothing;
  // Without the database there would be no answer.
  if (source === 'database') return { ...nothing, lastAnswerAt: deps.clock().toISOString() };
  if (isTable(source)) return hearOfTable(deps, source, systems[0]?.name ?? '');
  return hearOfContacts(contacts.filter((contact) => contact.source === source));
}

const isTable = (source: DataSource): source is TableSource =>
  tableSources.some((table) => table === source);

async function hearOfTable(
  deps: DataSourcesDeps,
  source: TableSource,
  table: string,
): Promise<Heard> {
  const described = await describeFeed(deps, source, table);
  if (described === undefined) return nothing;
  const { feed, incoming, outgoing, faultSince } = described;
  return {
    fault: faultOf(feed.readFault ?? feed.writeFault, faultSince, null),
    lastAnswerAt: latest([incoming.lastAt, outgoing.lastAt]),
    ...{ incoming, outgoing, calls: null, feed },
  };
}

function hearOfContacts(contacts: readonly SourceContact[]): Heard {
  if (contacts.length === 0) return nothing;
  const [failing] = contacts
    .filter(({ failingSince }) => failingSince !== null)
    .toSorted((one, other) => Number(one.failingSince) - Number(other.failingSince));
  const lastAnswerAt = latest(contacts.map((each) => each.lastAnswerAt?.toISOString() ?? null));
  const measured = contacts.filter(({ delayMs }) => delayMs !== null);
  return {
    ...nothing,
    fault: faultOf(failing?.fault ?? null, failing?.failingSince ?? null, failing?.serverName),
    lastAnswerAt,
    ...(measured.length > 0 && {
      incoming: {
        lastAt: lastAnswerAt,
        delayMs: Math.max(...measured.map(({ delayMs }) => delayMs ?? 0)),
        waitingCount: Math.max(...measured.map(({ waiting }) => waiting ?? 0)),
      },
    }),
    calls: {
      count: sumOf(contacts.map(({ calls }) => calls)),
      failedCount: sumOf(contacts.map(({ failedCalls }) => failedCalls)),
    },
  };
}

const faultOf = (
  text: string | null,
  since: Date | null,
  server: string | null | undefined,
): DataSourceFault | null =>
  text === null || since === null
    ? null
    : { text, reason: faultReason(text), since: since.toISOString(), server: server ?? null };

/** The latest time, as ISO 8601. */
const latest = (times: readonly (string | null)[]): string | null =>
  times
    .filter((time) => time !== null)
    .toSorted()
    .at(-1) ?? null;

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
