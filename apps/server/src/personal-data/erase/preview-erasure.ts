import type {
  ErasureObstacle,
  ErasurePreview,
  PersonReference,
} from '@deviceportal/contract/personal-data';
import { countOpenCases } from '../../cases/data/erase-case-queries.ts';
import { countDevicesOf } from '../../devices/data/release-devices.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Viewer } from '../../platform/viewer.ts';
import { pseudonymOf } from '../keys/pseudonym-of.ts';
import type { PersonalDataDeps } from '../personal-data-deps.ts';
import {
  findWholePerson,
  isErased,
  requireWholeReach,
  usernameOf,
  type WholePerson,
} from './find-person.ts';

/** What would be erased, and the obstacles. */
export async function previewErasure(
  { database: { orm } }: Pick<PersonalDataDeps, 'database'>,
  viewer: Viewer,
  { kind, id }: PersonReference,
): Promise<ErasurePreview> {
  requireWholeReach(viewer, 'people:erase');
  const person = await findWholePerson(orm, { kind, id });
  const { user, customers } = person;
  const customerIds = customers.map((customer) => customer.id);
  const linked: PersonReference[] = [
    ...(user === undefined ? [] : [{ kind: 'user', id: user.id } as const]),
    ...customerIds.map((customerId) => ({ kind: 'customer', id: customerId }) as const),
  ];
  return {
    kind,
    id,
    username: usernameOf(person, { kind, id }),
    pseudonym: pseudonymOf(id),
    linked: linked.filter((other) => other.id !== id),
    devices: await countDevicesOf(orm, customerIds),
    openCases: await countOpenCases(orm, customerIds),
    obstacles: isErased(person, { kind, id })
      ? ['already-erased']
      : await findObstacles(orm, viewer, person),
  };
}

/** Conditions that must be resolved first. @param viewer undefined for an erasure that was requested before */
export async function findObstacles(
  on: Executor,
  viewer: Viewer | undefined,
  { user, customers }: WholePerson,
): Promise<ErasureObstacle[]> {
  const hasLeft = user === undefined || user.status === 'Resigned' || user.status === 'Archived';
  const openCases = await countOpenCases(
    on,
    customers.map(({ id }) => id),
  );
  return [
    ...(user !== undefined && user.id === viewer?.userId ? (['own-access'] as const) : []),
    ...(hasLeft ? [] : (['user-has-not-left'] as const)),
    ...(openCases > 0 ? (['cases-open'] as const) : []),
  ];
}
