import { findInput, type SearchAnswer } from '@deviceportal/contract/search';
import { permitted, router } from '../platform/api.ts';
import { findAnything, type SearchDeps } from './find-anything.ts';

export function createSearchRouter({ search }: { readonly search: SearchDeps }) {
  return router({
    /** Each kind is searched with its own permission. */
    find: permitted('signed-in')
      .input(findInput)
      .query(({ ctx: { viewer, signal }, input }): Promise<SearchAnswer> =>
        findAnything(search, viewer, { input, signal }),
      ),
  });
}
