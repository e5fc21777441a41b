import { readTableAgainInput, type DataSourceView } from '@deviceportal/contract/data-sources';
import { permitted, router } from '../platform/api.ts';
import type { DataSourcesDeps } from './data-sources-deps.ts';
import { listDataSources } from './list-data-sources.ts';
import { readTableAgain } from './read-table-again.ts';

export function createDataSourcesRouter(deps: DataSourcesDeps) {
  return router({
    list: permitted('access:read').query((): Promise<readonly DataSourceView[]> =>
      listDataSources(deps),
    ),
    readAgain: permitted('access:manage')
      .input(readTableAgainInput)
      .mutation(({ ctx, input }): Promise<void> => readTableAgain(deps, ctx, input)),
  });
}
