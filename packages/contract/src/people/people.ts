import { z } from 'zod';
import { cursorSchema, pageSizeSchema, type Timestamp } from '../pages.ts';

export const listPeopleInput = z.object({
  /** Part of a name, email address, phone number, or username. */
  text: z.string().trim().max(200).default(''),
  pageSize: pageSizeSchema,
  cursor: cursorSchema,
});

/** A person whom an action is about. */
export interface NamedPerson {
  readonly name: string;
  readonly email?: string | null;
  readonly phone?: string | null;
}

/** The name with a second fact, because two people may have the same name. */
export function personLabel({ name, email, phone }: NamedPerson): string {
  const fact = email ?? phone ?? '';
  return fact === '' ? name : `${name} (${fact})`;
}

/** Name, email, and phone are masked without `people:read`. */
export interface Person {
  readonly id: string;
  readonly username: string;
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly country: string | null;
  readonly language: string | null;
  readonly deviceCount: number;
  readonly createdAt: Timestamp;
}
