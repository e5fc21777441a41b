import type { Person } from '@deviceportal/contract/people';
import type { PersonRow } from './data/person-queries.ts';
import { maskEmail, maskName, maskPhone } from './mask-person.ts';

/** A person as the viewer may see them: masked unless they are shown by name. */
export function shownPerson({ named, ...row }: PersonRow): Person {
  const person = { ...row, createdAt: row.createdAt.toISOString() };
  if (named) return person;
  return {
    ...person,
    username: maskName(person.username),
    name: maskName(person.name),
    email: maskEmail(person.email),
    phone: maskPhone(person.phone),
  };
}
