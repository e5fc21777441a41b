import { z } from 'zod';
import { idSchema } from '@deviceportal/contract/ids';
import type { Page } from '@deviceportal/contract/pages';
import { listPeopleInput, type Person } from '@deviceportal/contract/people';
import { permitted, router } from '../platform/api.ts';
import type { Database } from '../platform/database/database.ts';
import { getPerson } from './get-person.ts';
import { listPeople } from './list-people.ts';

/** Available to all users who may see devices; names are masked without `people:read`. */
export function createPeopleRouter(deps: { readonly database: Database }) {
  return router({
    list: permitted(['people:read', 'devices:read'])
      .input(listPeopleInput)
      .query(({ ctx, input }): Promise<Page<Person>> => listPeople(deps, ctx.viewer, input)),
    get: permitted(['people:read', 'devices:read'])
      .input(z.object({ id: idSchema }))
      .query(({ ctx, input }): Promise<Person> => getPerson(deps, ctx.viewer, input.id)),
  });
}
