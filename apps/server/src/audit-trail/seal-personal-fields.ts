import { findUsersByName } from '../access/data/user-queries.ts';
import { findCustomersByName } from '../people/data/find-customers-by-name.ts';
import type { PersonalText } from '../personal-data/keys/personal-keys.ts';
import { personalKeysOf } from '../personal-data/keys/personal-keys-of.ts';
import { isSealed } from '../personal-data/keys/sealed-text.ts';
import type { Transaction } from '../platform/database/database.ts';
import { customerFieldsIn, namesAccount, namesIn } from './audit-names.ts';
import { dataOf } from './data-of-draft.ts';
import type { AuditDraft } from './audit-draft.ts';

/** An event, and what of it says who a person is as it is written: sealed with the key of that person. */
export interface SealedFields {
  readonly event: AuditDraft;
  readonly actorName: string;
  readonly actorAddress: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Place {
  readonly event: number;
  readonly field: string;
  readonly text: string;
  /** The id of a user or a customer; undefined where only a name is known. */
  readonly owner: string | undefined;
  /** Whether the name is that of an account. */
  readonly isAccount: boolean;
}

const NAME = '$name';
const ADDRESS = '$address';

/** The personal fields of events, sealed. Events of devices and of the system have none, and cost nothing here. */
export async function sealPersonalFields<Events extends readonly AuditDraft[]>(
  tx: Transaction,
  events: readonly [...Events],
): Promise<{ readonly [Index in keyof Events]: SealedFields }> {
  const places = events.flatMap(placesOf);
  const sealed = places.length === 0 ? [] : await sealPlaces(tx, places);
  const fields = events.map((event) => ({
    event,
    actorName: event.actor.name,
    actorAddress: event.actor.address,
    data: { ...dataOf(event) },
  }));
  for (const [index, { event, field }] of places.entries()) {
    const [own, text = ''] = [fields[event], sealed[index]];
    if (own === undefined) continue;
    if (field === NAME) own.actorName = text;
    else if (field === ADDRESS) own.actorAddress = isSealed(text) ? text : null;
    else own.data[field] = text;
  }
  return fields as { readonly [Index in keyof Events]: SealedFields };
}

function placesOf(draft: AuditDraft, event: number): Place[] {
  const data = dataOf(draft);
  const named = { type: draft.type, data };
  const subject = textOr(data['userId']);
  const isAccount = namesAccount(named);
  return [
    ...placesOfActor(draft, event),
    ...namesIn(named).map((field) => ({
      ...{ event, field, text: String(data[field]), isAccount },
      owner: field === 'username' ? subject : undefined,
    })),
    ...customerFieldsIn(named).map((field) => ({
      ...{ event, field, text: String(data[field]), isAccount: false },
      owner: textOr(data['personId']),
    })),
  ];
}

function placesOfActor({ type, actor, data }: AuditDraft, event: number): Place[] {
  const { kind, name, address } = actor;
  // A user who registered is named by the account, and has no id yet.
  const isAccount = type === 'access.user-created';
  if (kind === 'user') {
    const owner = actor.id ?? undefined;
    const places = [{ event, field: NAME, text: name, owner, isAccount }];
    return address === null
      ? places
      : [...places, { event, field: ADDRESS, text: address, owner, isAccount }];
  }
  // Who opened a link is not known; the link leads to what is held of a customer.
  const owner = textOr(data?.['personId']);
  return address === null || owner === undefined || kind === 'device'
    ? []
    : [{ event, field: ADDRESS, text: address, owner, isAccount }];
}

const textOr = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

async function sealPlaces(tx: Transaction, places: readonly Place[]): Promise<string[]> {
  const people = await peopleOf(tx, places);
  const texts = places.map(({ text }, index): PersonalText => ({
    person: people[index] ?? '',
    text,
  }));
  return personalKeysOf(tx).seal(tx, texts);
}

/** Whose key seals each place: a user's, a customer's, or that of a name. */
async function peopleOf(tx: Transaction, places: readonly Place[]): Promise<string[]> {
  const unknown = places.filter(({ owner }) => owner === undefined);
  if (unknown.length === 0) return places.map(({ owner }) => owner ?? '');
  // An address is its actor's: who has no id is found by the name beside it.
  const nameOf = ({ event, field, text }: Place): string =>
    field === ADDRESS
      ? (places.find((other) => other.event === event && other.field === NAME)?.text ?? text)
      : text;
  const names = [...new Set(unknown.map(nameOf))];
  const users = await findUsersByName(tx, names);
  const noUsers = names.filter((name) => !users.has(name));
  const customers = await findCustomersByName(tx, noUsers);
  const others = noUsers.filter((name) => !customers.has(name));
  const accounts = new Set(unknown.filter(({ isAccount }) => isAccount).map(nameOf));
  const owners = await personalKeysOf(tx).ownersOfNames(tx, others, accounts);
  const byName = new Map([
    ...users,
    ...customers,
    ...others.map((name, index) => [name, owners[index] ?? ''] as const),
  ]);
  return places.map((place) => place.owner ?? byName.get(nameOf(place)) ?? '');
}
