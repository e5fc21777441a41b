import { and, eq } from 'drizzle-orm';
import type { Executor } from '../../platform/database/database.ts';
import { ssmDocument } from './systems-manager-tables.ts';

type Published = Readonly<typeof ssmDocument.$inferSelect>;
type Key = Pick<Published, 'region' | 'name' | 'contentSha256'>;

const isOf = ({ region, name, contentSha256 }: Key) =>
  and(
    eq(ssmDocument.region, region),
    eq(ssmDocument.name, name),
    eq(ssmDocument.contentSha256, contentSha256),
  );

/** Undefined if this content was not published yet. */
export async function findPublished(on: Executor, key: Key): Promise<Published | undefined> {
  const [found] = await on.select().from(ssmDocument).where(isOf(key));
  return found;
}

export async function storePublished(
  on: Executor,
  published: Omit<Published, 'publishedAt'>,
): Promise<void> {
  await on.insert(ssmDocument).values(published).onConflictDoNothing();
}

/** For a document that no longer exists in Systems Manager. */
export async function forgetPublished(on: Executor, key: Key): Promise<void> {
  await on.delete(ssmDocument).where(isOf(key));
}
