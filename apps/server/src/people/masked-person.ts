import type { Person } from '@deviceportal/contract/people';
import type { PersonRow } from './data/person-queries.ts';
import { maskEmail, maskName, maskPhone } from './mask-person.ts';

/** A person as shown to the viewer: masked unless they are shown by name. */
export function maskedPerson({ named, ...row }: PersonRow): Person {
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
