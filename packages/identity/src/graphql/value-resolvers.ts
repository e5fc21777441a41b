import type pg from 'pg';
import { inTransaction } from '../database/in-transaction.ts';
import {
  dropCustomValue,
  keepCustomValues,
  type ValueOwner,
} from '../custom-values/change-custom-values.ts';
import { listCustomValues } from '../custom-values/custom-value-store.ts';
import type { CustomValue } from '../custom-values/custom-value.ts';
import { customKeySchema, readJsonValues } from '../custom-values/read-custom-data.ts';
import { ProviderError, type Refusal } from '../provider/wire/provider-error.ts';
import { refusals } from '../provider/wire/refusals.ts';
import type { GraphqlCall, Resolvers } from './graphql-call.ts';

interface Target {
  readonly targetType: string;
  readonly targetId: string;
}

interface JsonValue {
  readonly key: string;
  readonly value?: string | null;
}

const empty: Refusal = { code: 2261, en: 'empty udf value list', zh: '自定义数据列表为空' };

/** Values that people keep about themselves; those about anything else are not theirs. */
export const valueResolvers = {
  Query: {
    async udv(_parent, target: Target, call) {
      const { user } = await requireOwn(call, target);
      return listCustomValues(call.provider.db, { type: 'USER', id: user.id });
    },
  },
  Mutation: {
    setUdv: (_parent, { key, value, ...target }: Target & { key: string; value: string }, call) =>
      set(call, target, [{ key, value }]),
    async setUdvBatch(
      _parent,
      { udvList, ...target }: Target & { udvList?: readonly JsonValue[] | null },
      call,
    ) {
      if (!udvList || udvList.length === 0) throw new ProviderError(empty);
      return set(call, target, udvList);
    },
    async removeUdv(_parent, { key, ...target }: Target & { key: string }, call) {
      const gone = customKeySchema.parse(key);
      return change(call, target, (client, owner) =>
        dropCustomValue(call.provider, client, owner, gone),
      );
    },
  },
} satisfies { Query: Resolvers; Mutation: Resolvers };

async function set(
  call: GraphqlCall,
  target: Target,
  values: readonly JsonValue[],
): Promise<readonly CustomValue[]> {
  const read = readJsonValues(values);
  return change(call, target, (client, owner) =>
    keepCustomValues(call.provider, client, owner, read),
  );
}

/** @returns all the person's values after it */
async function change(
  call: GraphqlCall,
  target: Target,
  work: (client: pg.PoolClient, owner: ValueOwner) => Promise<void>,
): Promise<readonly CustomValue[]> {
  const owner = await requireOwn(call, target);
  return inTransaction(call.provider.db, async (client) => {
    await work(client, owner);
    return listCustomValues(client, { type: 'USER', id: owner.user.id });
  });
}

async function requireOwn(
  call: GraphqlCall,
  { targetType, targetId }: Target,
): Promise<ValueOwner> {
  const caller = await call.requireUser();
  const { user } = caller;
  if (targetType !== 'USER' || targetId !== user.id) throw new ProviderError(refusals.notAllowed);
  return { user, caller };
}
