import { listCustomValues } from '../custom-values/custom-value-store.ts';
import { listIdentities } from '../identities/identity-store.ts';
import type { GraphqlCall } from './graphql-call.ts';

interface Parent {
  readonly id: string;
}

/** Fields of a person that are read only where they are asked for. */
export const userFields = {
  customData: ({ id }: Parent, _given: unknown, { provider }: GraphqlCall) =>
    listCustomValues(provider.db, { type: 'USER', id }),
  identities: ({ id }: Parent, _given: unknown, { provider }: GraphqlCall) =>
    listIdentities(provider.db, id),
};
