import type { Handlers } from '../operation-call.ts';
import { PortalError } from '@deviceportal/contract/errors';

export const generalHandlers: Handlers<'getToken' | 'search'> = {
  async getToken({ viewer }) {
    const { apiToken, service, grants } = viewer;
    if (apiToken === undefined) throw new PortalError('invalidSession');
    return {
      ...{ id: apiToken.id, name: apiToken.name, expiresAt: apiToken.expiresAt.toISOString() },
      kind: service === undefined ? 'personal' : 'service',
      user: service === undefined ? viewer.username : null,
      grants: grants.map(({ permissions, scope }) => ({
        permissions: [...permissions],
        scope: {
          countries: [...scope.countries],
          models: [...scope.models],
          labels: { ...scope.labels },
        },
      })),
    };
  },
  async search({ portal, query }) {
    const { groups, mended } = await portal.search.find({ text: query.q, kinds: query.kind ?? [] });
    return {
      corrected: mended,
      groups: groups.map(({ kind, more, hits }) => ({
        ...{ kind, more },
        hits: hits.map(({ id, label, detail, state }) => ({ id, label, detail, state })),
      })),
    };
  },
};
