import type { FeedSource } from '../../data-sources/feed-source.ts';
import { listReferences, raiseRevision, selectSoftware } from '../data/software-item-queries.ts';
import { softwareItemSchema } from './software-item.ts';
import { takeInSoftware } from './take-in-software.ts';

/** The software version table: one item for each version of a component. */
export const softwareSource: FeedSource = {
  name: 'software-versions',
  takeIn: takeInSoftware,
  async itemsOf(on, keys) {
    const rows = await selectSoftware(
      on,
      keys.map(({ key, sortKey }) => ({ component: key, version: sortKey })),
    );
    return rows.map(({ component, version, ...row }) => ({
      key: { component, version },
      item: {
        ...{ revision: row.revision, state: row.state, models: row.models },
        ...{ channel: row.channel, notes: row.notes },
        releasedAt: row.releasedAt === null ? null : row.releasedAt.toISOString(),
        createdAt: row.createdAt.toISOString(),
        artifact:
          row.artifactName === null
            ? null
            : { name: row.artifactName, bytes: row.artifactBytes, sha256: row.artifactSha256 },
      },
    }));
  },
  async listKeys(on, after, limit) {
    const [component = '', version = ''] = after.split('\n');
    const found = await listReferences(on, after === '' ? null : { component, version }, limit);
    const last = found.at(-1);
    return {
      keys: found.map((each) => ({ key: each.component, sortKey: each.version })),
      next:
        found.length < limit || last === undefined ? null : `${last.component}\n${last.version}`,
    };
  },
  async overrule(tx, stored) {
    const found = softwareItemSchema
      .pick({ component: true, version: true, revision: true })
      .safeParse(stored);
    if (!found.success) return false;
    return raiseRevision(tx, found.data, found.data.revision);
  },
};
