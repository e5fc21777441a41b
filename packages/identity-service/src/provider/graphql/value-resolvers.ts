import {
  listCustomValues,
  removeCustomValue,
  setCustomValues,
  type CustomValueTarget,
} from '../custom-values/custom-value-store.ts';
import type { CustomValue } from '../custom-values/custom-value.ts';
import { customKeySchema, readJsonValues } from '../custom-values/read-custom-data.ts';
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
      await removeCustomValue(call.provider.db, own, customKeySchema.parse(key));
      return listCustomValues(call.provider.db, own);
    },
  },
} satisfies { Query: Resolvers; Mutation: Resolvers };

async function set(
  call: GraphqlCall,
  target: Target,
  values: readonly JsonValue[],
): Promise<readonly CustomValue[]> {
  const { db, clock } = call.provider;
  const own = await ownTarget(call, target);
  const read = new Map(readJsonValues(values).map((value) => [value.key, value]));
  const keys = new Set((await listCustomValues(db, own)).map(({ key }) => key));
  if (keys.union(new Set(read.keys())).size > MOST_VALUES) throw new ProviderError(tooMany);
  await setCustomValues(db, own, [...read.values()], new Date(clock.now()));
  return listCustomValues(db, own);
}

async function ownTarget(
  call: GraphqlCall,
  { targetType, targetId }: Target,
): Promise<CustomValueTarget> {
  const { user } = await call.requireUser();
  if (targetType !== 'USER' || targetId !== user.id) throw new ProviderError(refusals.notAllowed);
  return { type: targetType, id: targetId };
}
