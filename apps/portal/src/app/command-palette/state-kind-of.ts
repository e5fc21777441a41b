import type { SearchKind } from '@deviceportal/contract/search';
import type { StateKind } from '../../ui/status-of.tsx';

/** The kind of state that each kind of result has. */
export const stateKindOf: Readonly<Record<SearchKind, StateKind | null>> = {
  device: 'connectivity',
  person: null,
  case: 'case',
  run: 'run',
  invocation: 'invocation',
  'air-blast': 'airBlast',
  schedule: 'schedule',
  document: 'document',
  software: 'softwareVersion',
};
