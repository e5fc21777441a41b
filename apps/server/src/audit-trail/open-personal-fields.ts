import type { AuditActor, AuditEvent } from '@deviceportal/contract/audit-trail';
import { personalKeysOf } from '../personal-data/keys/personal-keys-of.ts';
import { isPseudonym, pseudonymOf } from '../personal-data/keys/pseudonym-of.ts';
import { isSealed } from '../personal-data/keys/sealed-text.ts';
import type { Executor } from '../platform/database/database.ts';
import { customerFieldsIn, namesIn } from './audit-names.ts';

/** A text of the trail that may name a person. */
export interface PersonalText {
  readonly text: string;
  /** The id of the user or customer, where the event has it. */
  readonly userId: string | null;
}

/** What to show for a text. */
export type ShownText = (text: PersonalText) => string;

/**
 * What texts of the trail are shown as: sealed ones opened, and the pseudonym for a person who was erased. Events of
 * before there were keys contain names in clear: an erased person is recognized in them by id, or by name.
 */
export async function openNames(on: Executor, texts: readonly PersonalText[]): Promise<ShownText> {
  const keys = personalKeysOf(on);
  const opened = await keys.open(
    on,
    texts.map(({ text }) => text),
  );
  const inClear = texts.filter(({ text }) => text !== '' && !isSealed(text) && !isPseudonym(text));
  if (inClear.length === 0) return ({ text }) => opened.get(text) ?? text;
  const ids = inClear.flatMap(({ userId }) => (userId === null ? [] : [userId]));
  const erasedIds = await keys.findErased(on, [...new Set(ids)]);
  const erasedNames = await keys.findErasedNames(
    on,
    inClear.flatMap(({ text, userId }) => (userId === null ? [text] : [])),
  );
  return ({ text, userId }) => {
    const known = opened.get(text);
    if (known !== undefined) return known;
    if (userId !== null) return erasedIds.has(userId) ? pseudonymOf(userId) : text;
    const owner = erasedNames.get(text);
    return owner === undefined ? text : pseudonymOf(owner);
  };
}

type Named = Pick<AuditEvent, 'type' | 'data'> & { readonly actor: AuditActor };

/** Events with what says who a person is opened, in one look-up however many they are. */
export async function openPersonalFields<Event extends Named>(
  on: Executor,
  events: readonly Event[],
): Promise<Event[]> {
  const shown = await openNames(on, events.flatMap(textsOf));
  return events.map((event) => {
    const texts = fieldsOf(event).map((field) => [field, shown(textIn(event, field))]);
    const data = { ...event.data, ...Object.fromEntries(texts) };
    return { ...event, actor: openActor(event.actor, shown), data };
  });
}

const fieldsOf = (event: Pick<Named, 'type' | 'data'>): string[] => [
  ...namesIn(event),
  ...customerFieldsIn(event),
];

const textsOf = ({ actor, ...event }: Named): PersonalText[] => [
  ...(actor.kind === 'user'
    ? [actor.name, actor.address ?? ''].map((text) => ({ text, userId: actor.id }))
    : [{ text: actor.address ?? '', userId: null }]),
  ...fieldsOf(event).map((field) => textIn(event, field)),
];

/** A text in the data; whom the event is about is known by id as well. */
function textIn({ type, data }: Pick<Named, 'type' | 'data'>, field: string): PersonalText {
  const owner = customerFieldsIn({ type, data }).includes(field)
    ? data['personId']
    : field === 'username'
      ? data['userId']
      : undefined;
  return { text: String(data[field]), userId: typeof owner === 'string' ? owner : null };
}

function openActor(actor: AuditActor, shown: ShownText): AuditActor {
  if (actor.kind !== 'user') {
    const address = actor.address && shown({ text: actor.address, userId: null });
    return { ...actor, address: address && isPseudonym(address) ? null : address };
  }
  const name = shown({ text: actor.name, userId: actor.id });
  if (actor.address === null || isPseudonym(name)) return { ...actor, name, address: null };
  const address = shown({ text: actor.address, userId: actor.id });
  return { ...actor, name, address: isPseudonym(address) ? null : address };
}
