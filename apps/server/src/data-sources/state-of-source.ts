import type { DataSourceView } from '@deviceportal/contract/data-sources';
import type { DataSourceState } from '@deviceportal/contract/states';

/** Changes arrive within seconds: beyond this, something is wrong. */
export const DELAYED_MS = 60_000;

type Facts = Pick<DataSourceView, 'place' | 'fault' | 'incoming' | 'outgoing' | 'lastAnswerAt'> & {
  readonly isUsed: boolean;
  /** Whether servers call the system, and not browsers alone. */
  readonly isCalled: boolean;
  readonly feed: Pick<NonNullable<DataSourceView['feed']>, 'reads' | 'fullSince'> | null;
};

/** The state of a data source: the worst that is known of it. */
export function stateOfSource(facts: Facts): DataSourceState {
  const { place, fault, incoming, outgoing, lastAnswerAt, feed } = facts;
  if (!facts.isUsed) return 'unused';
  if (place === 'embedded') return 'embedded';
  if (fault !== null) return 'failing';
  if (!facts.isCalled) return 'unmonitored';
  if (lastAnswerAt === null && feed === null) return 'unused';
  const delayMs = Math.max(incoming?.delayMs ?? 0, outgoing?.delayMs ?? 0);
  if (delayMs > DELAYED_MS || (feed !== null && feed.fullSince !== null)) return 'delayed';
  return feed?.reads === 'table' ? 'reading' : 'working';
}
