import type pg from 'pg';
import type { ProviderContext } from '../provider/provider-context.ts';
import type { ProviderUser } from '../accounts/provider-user.ts';
import { lockUser } from '../accounts/provider-account-store.ts';
import type { Caller } from '../provider/wire/caller.ts';
import { ProviderError, type Refusal } from '../provider/wire/provider-error.ts';
import {
  listCustomValues,
  removeCustomValue,
  setCustomValues,
  type CustomValueTarget,
} from './custom-value-store.ts';
import { MOST_VALUES, type CustomValue } from './custom-value.ts';

const tooMany: Refusal = { code: 2260, en: 'too many custom values', zh: '自定义数据过多' };

type ChangeContext = Pick<ProviderContext, 'clock' | 'settings' | 'signIns'>;

/** Owner of the values, and the actor of the change. */
export interface ValueOwner {
  readonly user: ProviderUser;
  readonly caller: Caller;
}

/**
 * Stores values in the caller's transaction; the last one for each key is used. An empty list
 * changes nothing.
 * @throws ProviderError tooMany if there would be more than 100, including existing ones
 */
export async function keepCustomValues(
  context: ChangeContext,
  client: pg.PoolClient,
  owner: ValueOwner,
  values: readonly CustomValue[],
): Promise<void> {
  if (values.length === 0) return;
  const given = new Map(values.map((value) => [value.key, value]));
  await change(context, client, owner, async (target, at) => {
    const keys = new Set((await listCustomValues(client, target)).map(({ key }) => key));
    if (keys.union(new Set(given.keys())).size > MOST_VALUES) throw new ProviderError(tooMany);
    await setCustomValues(client, target, [...given.values()], at);
    return `custom values set: ${[...given.keys()].join(', ')}`;
  });
}

/** Takes the value under a key away, if there is one. */
export async function dropCustomValue(
  context: ChangeContext,
  client: pg.PoolClient,
  owner: ValueOwner,
  key: string,
): Promise<void> {
  await change(context, client, owner, async (target) =>
    (await removeCustomValue(client, target, key)) ? `custom value removed: ${key}` : undefined,
  );
}

/**
 * Serializes changes of an owner's values, and records the changed keys, never the values.
 * @param work returns what it changed; undefined for nothing
 */
async function change(
  { clock, settings, signIns }: ChangeContext,
  client: pg.PoolClient,
  { user, caller }: ValueOwner,
  work: (target: CustomValueTarget, at: Date) => Promise<string | undefined>,
): Promise<void> {
  await lockUser(client, settings.userPoolId, user.id);
  const what = await work({ type: 'USER', id: user.id }, new Date(clock.now()));
  if (what !== undefined) await signIns.writeChange(client, user, caller, what);
}
