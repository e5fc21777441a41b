import type { AuditActor, AuditEvent } from '@deviceportal/contract/audit-trail';
import { personalKeysOf } from '../personal-data/keys/personal-keys-of.ts';
import { isPseudonym, pseudonymOf } from '../personal-data/keys/pseudonym-of.ts';
import { isSealed } from '../personal-data/keys/sealed-text.ts';
import type { Executor } from '../platform/database/database.ts';
import { namesIn } from './audit-names.ts';

/** What sealed names say, to be shown; of a person who was erased their pseudonym. Other texts stay as they are. */
export async function openNames(
  on: Executor,
  names: Iterable<string>,
): Promise<(name: string) => string> {
  const wanted = new Set(names);
  if (![...wanted].some(isSealed)) return (name) => name;
  const opened = await personalKeysOf(on).open(on, wanted);
  return (name) => opened.get(name) ?? name;
}

type Named = Pick<AuditEvent, 'type' | 'data'> & { readonly actor: AuditActor };

/** Events with what says who a person is opened, in one look-up however many they are. */
export async function openPersonalFields<Event extends Named>(
  on: Executor,
  events: readonly Event[],
): Promise<Event[]> {
  const nameOf = await openNames(on, events.flatMap(textsOf));
  const erased = await findErasedActors(on, events);
  return events.map((event) => {
    const names = namesIn(event).map((field) => [field, nameOf(String(event.data[field]))]);
    const data = { ...event.data, ...Object.fromEntries(names) };
    return { ...event, actor: openActor(event.actor, nameOf, erased), data };
  });
}

function textsOf({ actor, ...event }: Named): string[] {
  const own = actor.kind === 'user' ? [actor.name, actor.address ?? ''] : [];
  return [...own, ...namesIn(event).map((field) => String(event.data[field]))];
}

/** Events of before there were keys have names in clear: those of erased people are not shown. */
async function findErasedActors(
  on: Executor,
  events: readonly Named[],
): Promise<ReadonlySet<string>> {
  const inClear = events.flatMap(({ actor: { kind, id, name } }) =>
    kind === 'user' && id !== null && !isSealed(name) ? [id] : [],
  );
  return inClear.length === 0 ? new Set() : personalKeysOf(on).findErased(on, inClear);
}

function openActor(
  actor: AuditActor,
  nameOf: (name: string) => string,
  erased: ReadonlySet<string>,
): AuditActor {
  if (actor.kind !== 'user') return actor;
  if (actor.id !== null && erased.has(actor.id)) {
    return { ...actor, name: pseudonymOf(actor.id), address: null };
  }
  const name = nameOf(actor.name);
  if (actor.address === null || !isSealed(actor.address)) return { ...actor, name };
  const address = nameOf(actor.address);
  return { ...actor, name, address: isPseudonym(address) ? null : address };
}
