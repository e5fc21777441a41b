import type pg from 'pg';
import { inTransaction } from '../../store/in-transaction.ts';
import {
  listCustomValues,
  removeCustomValue,
  setCustomValues,
  type CustomValueTarget,
} from '../custom-values/custom-value-store.ts';
import type { CustomValue } from '../custom-values/custom-value.ts';
import { customKeySchema, readJsonValues } from '../custom-values/read-custom-data.ts';
import { lockUser } from '../users/user-store.ts';
import { ProviderError, type Refusal } from '../wire/provider-error.ts';
import { refusals } from '../wire/refusals.ts';
import type { GraphqlCall, Resolvers } from './graphql-call.ts';

interface Target {
  readonly targetType: string;
  readonly targetId: string;
}

interface JsonValue {
  readonly key: string;
  readonly value?: string | null;
}

const MOST_VALUES = 100;
const tooMany: Refusal = { code: 2260, en: 'too many custom values', zh: '自定义数据过多' };
const empty: Refusal = { code: 2261, en: 'empty udf value list', zh: '自定义数据列表为空' };

/** Values that people keep about themselves; those about anything else are not theirs. */
export const valueResolvers = {
  Query: {
    async udv(_parent, target: Target, call) {
      return listCustomValues(call.provider.db, await ownTarget(call, target));
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
      const own = await ownTarget(call, target);
      const gone = customKeySchema.parse(key);
      return changeValues(call, own, async (client) => {
        if (!(await removeCustomValue(client, own, gone))) return undefined;
        return `custom value removed: ${gone}`;
      });
    },
  },
} satisfies { Query: Resolvers; Mutation: Resolvers };

async function set(
  call: GraphqlCall,
  target: Target,
  values: readonly JsonValue[],
): Promise<readonly CustomValue[]> {
  const own = await ownTarget(call, target);
  const read = new Map(readJsonValues(values).map((value) => [value.key, value]));
  return changeValues(call, own, async (client, at) => {
    const keys = new Set((await listCustomValues(client, own)).map(({ key }) => key));
    if (keys.union(new Set(read.keys())).size > MOST_VALUES) throw new ProviderError(tooMany);
    await setCustomValues(client, own, [...read.values()], at);
    return `custom values set: ${[...read.keys()].join(', ')}`;
  });
}

/**
 * One change of somebody's values at a time, with its record: which keys, never what was kept under them.
 * @param change answers what it did; undefined where that is nothing
 */
async function changeValues(
  { provider, requireUser }: GraphqlCall,
  own: CustomValueTarget,
  change: (client: pg.PoolClient, at: Date) => Promise<string | undefined>,
): Promise<readonly CustomValue[]> {
  const { db, clock, settings, signIns } = provider;
  const caller = await requireUser();
  return inTransaction(db, async (client) => {
    await lockUser(client, settings.userPoolId, own.id);
    const what = await change(client, new Date(clock.now()));
    if (what !== undefined) await signIns.writeChange(client, caller.user, caller, what);
    return listCustomValues(client, own);
  });
}

async function ownTarget(
  call: GraphqlCall,
  { targetType, targetId }: Target,
): Promise<CustomValueTarget> {
  const { user } = await call.requireUser();
  if (targetType !== 'USER' || targetId !== user.id) throw new ProviderError(refusals.notAllowed);
  return { type: targetType, id: targetId };
}
