import pg from 'pg';
import { DATABASE, socketDirOf, type GooseBitPlace } from './goosebit-place.ts';

export async function openGooseBitDatabase(
  place: GooseBitPlace,
  database = DATABASE,
): Promise<AsyncDisposable & { readonly client: pg.Client }> {
  const client = new pg.Client({ host: socketDirOf(place), user: 'postgres', database });
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end() };
}
