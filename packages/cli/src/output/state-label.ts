import {
  connectivity,
  deviceLifecycle,
  invocationState,
  runState,
  statusDetails,
} from '@deviceportal/contract/states';

const all: Readonly<Record<string, { readonly en: string }>> = {
  ...invocationState,
  ...runState,
  ...statusDetails,
  ...connectivity,
  ...deviceLifecycle,
};

/** The label of a state, as in the portal. */
export const stateLabel = (state: string): string =>
  Object.hasOwn(all, state) ? (all[state]?.en ?? state) : state;
