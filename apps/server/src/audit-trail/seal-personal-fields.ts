import { findUsersByName } from '../access/data/user-queries.ts';
import type { PersonalText } from '../personal-data/keys/personal-keys.ts';
import { personalKeysOf } from '../personal-data/keys/personal-keys-of.ts';
import { isSealed } from '../personal-data/keys/sealed-text.ts';
import type { Transaction } from '../platform/database/database.ts';
import { namesIn } from './audit-names.ts';
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
  /** The id of a user; undefined where only a name is known. */
  readonly userId: string | undefined;
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
  const { actor } = draft;
  const actorId = actor.id ?? undefined;
  const subject = typeof data['userId'] === 'string' ? data['userId'] : undefined;
  const ofActor =
    actor.kind !== 'user'
      ? []
      : [
          { event, field: NAME, text: actor.name, userId: actorId },
          ...(actor.address === null
            ? []
            : [{ event, field: ADDRESS, text: actor.address, userId: actorId }]),
        ];
  const named = namesIn({ type: draft.type, data }).map((field) => ({
    event,
    field,
    text: String(data[field]),
    userId: field === 'username' ? subject : undefined,
  }));
  return [...ofActor, ...named];
}

async function sealPlaces(tx: Transaction, places: readonly Place[]): Promise<string[]> {
  const people = await peopleOf(tx, places);
  const texts = places.map(({ text }, index): PersonalText => ({
    person: people[index] ?? '',
    text,
  }));
  return personalKeysOf(tx).seal(tx, texts);
}

async function peopleOf(tx: Transaction, places: readonly Place[]): Promise<string[]> {
  const unknown = places.filter(({ userId }) => userId === undefined);
  if (unknown.length === 0) return places.map(({ userId }) => userId ?? '');
  // An address is its actor's: who has no id is found by the name beside it.
  const nameOf = ({ event, field, text }: Place): string =>
    field === ADDRESS
      ? (places.find((other) => other.event === event && other.field === NAME)?.text ?? text)
      : text;
  const names = [...new Set(unknown.map(nameOf))];
  const users = await findUsersByName(tx, names);
  const others = names.filter((name) => !users.has(name));
  const hashed = await personalKeysOf(tx).peopleNamed(tx, others);
  const byName = new Map([
    ...users,
    ...others.map((name, index) => [name, hashed[index] ?? ''] as const),
  ]);
  return places.map((place) => place.userId ?? byName.get(nameOf(place)) ?? '');
}
