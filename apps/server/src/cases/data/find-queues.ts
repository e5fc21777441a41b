import { and, asc, eq, like, ne, sql } from 'drizzle-orm';
import { personNames } from '../../people/data/person-names.ts';
import type { Executor } from '../../platform/database/database.ts';
import { likeLiteral } from '../../platform/database/like-literal.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { caseVisibility } from './case-visibility.ts';
import { supportCase } from './cases-tables.ts';

const lowerQueue = sql`lower(${supportCase.queue})`;

/** Queues of open cases that are visible to the viewer, each once. @param text prefix of the name */
export async function findQueues(
  on: Executor,
  viewer: Viewer,
  { text, limit }: { readonly text: string; readonly limit: number },
): Promise<string[]> {
  const rows = await on
    .select({ queue: sql<string>`min(${supportCase.queue})` })
    .from(supportCase)
    .innerJoin(personNames, eq(personNames.personId, supportCase.personId))
    .where(
      and(
        eq(supportCase.state, 'open'),
        ne(supportCase.queue, ''),
        like(lowerQueue, `${likeLiteral(text.toLowerCase())}%`),
        caseVisibility(viewer, personNames.personId),
      ),
    )
    .groupBy(lowerQueue)
    .orderBy(asc(lowerQueue))
    .limit(limit);
  return rows.map(({ queue }) => queue);
}

/** A queue as existing cases spell it, so that spellings do not multiply. */
export async function spellingOfQueue(on: Executor, queue: string): Promise<string> {
  if (queue === '') return '';
  const [found] = await on
    .select({ queue: supportCase.queue })
    .from(supportCase)
    .where(and(ne(supportCase.queue, ''), eq(lowerQueue, queue.toLowerCase())))
    .limit(1);
  return found?.queue ?? queue;
}
