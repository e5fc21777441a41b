import { createHash, createHmac, randomBytes } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { newId } from '@deviceportal/contract/ids';
import { refuse } from '@deviceportal/contract/refuse';
import type { Executor } from '../../platform/database/database.ts';
import type { KeySource } from '../../platform/secrets/derived-keys.ts';
import {
  findKeys,
  findKeysOfPeople,
  findKeysWithPrefix,
  findNewestKeys,
  insertKeys,
  type StoredPersonKey,
} from '../data/person-key-queries.ts';
import { createKeySeal, type KeySeal } from './key-seal.ts';
import { pseudonymOf } from './pseudonym-of.ts';
import { keyIdOf, openText, sealText, type PersonKey } from './sealed-text.ts';

/** A text, and the person whose key seals it. */
export interface PersonalText {
  readonly person: string;
  readonly text: string;
}

interface HeldKey {
  readonly id: string;
  readonly person: string;
  /** Null if it was destroyed; `unreadable` if no key of the installation decrypts it. */
  readonly key: Uint8Array | 'unreadable' | null;
  /** Caches of recently opened and sealed texts. */
  readonly opened: Map<string, string>;
  readonly sealed: Map<string, string>;
  readonly readAt: number;
}

const KEY_BYTES = 32;
/** Owner of the key for hashes of names. */
const NAMES = 'names';
/**
 * Owners of the keys for names of unknown people, one per month: devices and rejected sign-ins can contain any name, so
 * such names get no key of their own.
 */
const UNKNOWN_NAMES = 'names:';
/** Maximum number of cached keys. */
const MAX_KEYS = 10_000;
/** Maximum number of cached texts per key and direction. */
const MAX_TEXTS = 200;
/** How long a key destroyed by another server can remain cached if the notification is lost. */
const CACHED_MS = 10_000;
/** Maximum number of keys with which a text is searched. */
const MAX_TRIED = 20_000;
const TRIED_PER_TURN = 500;

/**
 * The data keys of people, cached briefly and stored encrypted in the database. A key is created with the first text of
 * its person, in a separate transaction, so that no text is sealed with a key that is rolled back.
 */
export class PersonalKeys {
  readonly #seal: KeySeal;
  readonly #maker: Executor;
  readonly #clock: () => number;
  readonly #byPerson = new Map<string, HeldKey>();
  readonly #byId = new Map<string, HeldKey>();
  /** When people were last found to have no key. */
  readonly #without = new Map<string, number>();

  /** @param maker executes outside the transaction of the caller */
  constructor(source: KeySource, maker: Executor, clock: () => number = Date.now) {
    this.#seal = createKeySeal(source);
    this.#maker = maker;
    this.#clock = clock;
  }

  /** Seals each text with the key of its person; an erased person's text becomes the pseudonym. */
  async seal(on: Executor, texts: readonly PersonalText[]): Promise<string[]> {
    const keys = await this.#keysOf(
      on,
      texts.map(({ person }) => person),
    );
    return texts.map(({ person, text }) => {
      const held = keys.get(person);
      if (held?.key == null) return pseudonymOf(person);
      // The installation key was lost: store the ID instead of plain text.
      if (held.key === 'unreadable') return person;
      return sealWith(held, held.key, text);
    });
  }

  /** As `seal`, without creating keys. Texts of people without a key are omitted. */
  async sealKnown(on: Executor, texts: readonly PersonalText[]): Promise<string[]> {
    const keys = await this.#heldOf(
      on,
      texts.map(({ person }) => person),
    );
    return texts.flatMap(({ person, text }) => {
      const held = keys.get(person);
      if (held?.key == null || held.key === 'unreadable') return [];
      return [sealWith(held, held.key, text)];
    });
  }

  /**
   * The plain text of sealed texts, or the pseudonym if the key was destroyed. Texts that are not sealed are omitted.
   */
  async open(on: Executor, texts: Iterable<string>): Promise<ReadonlyMap<string, string>> {
    const sealed = new Map<string, string>();
    for (const text of texts) {
      const id = keyIdOf(text);
      if (id !== undefined) sealed.set(text, id);
    }
    const keys = await this.#keysById(on, [...new Set(sealed.values())]);
    const opened = [...sealed].map(
      ([text, id]) => [text, openWith(keys.get(id), text, id), keys.get(id)?.person] as const,
    );
    const named = opened.filter(([, , owner]) => owner?.startsWith(UNKNOWN_NAMES));
    const erased = await this.findErasedNames(
      on,
      named.map(([, name]) => name),
    );
    return new Map(
      opened.map(([text, name, owner]) => {
        const person = owner?.startsWith(UNKNOWN_NAMES) ? erased.get(name) : undefined;
        return [text, person === undefined ? name : pseudonymOf(person)];
      }),
    );
  }

  /** The given people who were erased. */
  async findErased(on: Executor, people: readonly string[]): Promise<ReadonlySet<string>> {
    const keys = await this.#heldOf(on, people);
    return new Set([...keys].flatMap(([person, { key }]) => (key === null ? [person] : [])));
  }

  /** The given names that only erased people had, with the owners of their keys. Creates no keys. */
  async findErasedNames(
    on: Executor,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, string>> {
    const wanted = [...new Set(names)];
    if (wanted.length === 0) return new Map();
    const key = (await this.#heldOf(on, [NAMES])).get(NAMES)?.key;
    if (!(key instanceof Uint8Array)) return new Map();
    const owners = new Map(wanted.map((name) => [name, ownerOf(key, name)] as const));
    const erased = await this.findErased(on, [...owners.values()]);
    return new Map([...owners].filter(([, owner]) => erased.has(owner)));
  }

  /**
   * The text sealed with every key, to find it in sealed records.
   * @throws PortalError 2004 if there are too many keys
   */
  async formsOf(on: Executor, text: string): Promise<string[]> {
    const forms: string[] = [];
    const stored = await findNewestKeys(on, MAX_TRIED + 1);
    if (stored.length > MAX_TRIED)
      throw refuse('too-many-people', { field: 'address', facts: { limit: MAX_TRIED } });
    for (let at = 0; at < stored.length; at += TRIED_PER_TURN) {
      for (const row of stored.slice(at, at + TRIED_PER_TURN)) {
        const key = this.#byId.get(row.id)?.key ?? this.#toHeld(row).key;
        if (key !== null && key !== 'unreadable') forms.push(sealText({ id: row.id, key }, text));
      }
      await nextTurn();
    }
    return forms;
  }

  /**
   * Key owners for names without a known person: the name's own owner, case-insensitively, if it was erased or has a
   * key; otherwise the shared owner of this month.
   * @param accounts names of accounts; each can have its own key
   */
  async ownersOfNames(
    on: Executor,
    names: readonly string[],
    accounts: ReadonlySet<string>,
  ): Promise<string[]> {
    const owners = await this.peopleNamed(on, names);
    const known = await this.#heldOf(on, owners);
    const shared = `${UNKNOWN_NAMES}${new Date(this.#clock()).toISOString().slice(0, 7)}`;
    return owners.map((owner, index) =>
      known.has(owner) || accounts.has(names[index] ?? '') ? owner : shared,
    );
  }

  /** The name sealed with the shared keys of all months; empty for an erased name. */
  async formsOfUnknownName(on: Executor, name: string): Promise<string[]> {
    if ((await this.findErasedNames(on, [name])).size > 0) return [];
    const stored = await findKeysWithPrefix(on, UNKNOWN_NAMES);
    return stored.flatMap((row) => {
      const { id, key } = this.#byId.get(row.id) ?? this.#toHeld(row);
      return key instanceof Uint8Array ? [sealText({ id, key }, name)] : [];
    });
  }

  /** The key owner of each name: its keyed hash, case-insensitive. */
  async peopleNamed(on: Executor, names: readonly string[]): Promise<string[]> {
    if (names.length === 0) return [];
    const key = (await this.#keysOf(on, [NAMES])).get(NAMES)?.key;
    // The installation key was lost: names cannot be hashed.
    if (!(key instanceof Uint8Array)) return names.map(() => `${UNKNOWN_NAMES}unknown`);
    return names.map((name) => ownerOf(key, name));
  }

  /** Encrypts the names of a person who is being erased with the key of the installation. @param id of the erasure */
  sealNames(id: string, names: string): string {
    return this.#seal.seal(id, Buffer.from(names));
  }

  /** Undefined if no key of the installation decrypts them. */
  openNames(id: string, sealed: string): string | undefined {
    const opened = this.#open(id, sealed);
    return opened === 'unreadable' ? undefined : Buffer.from(opened).toString('utf8');
  }

  /** Removes people's keys from the cache of this process. */
  drop(people: Iterable<string>): void {
    for (const person of people) {
      const held = this.#byPerson.get(person);
      this.#byPerson.delete(person);
      this.#without.delete(person);
      if (held !== undefined) this.#byId.delete(held.id);
    }
  }

  async #keysOf(on: Executor, people: readonly string[]): Promise<ReadonlyMap<string, HeldKey>> {
    const found = await this.#heldOf(on, people);
    const missing = [...new Set(people)].filter((person) => !found.has(person));
    if (missing.length === 0) return found;
    await insertKeys(
      this.#maker,
      missing.map((person) => this.#make(person)),
    );
    const made = await findKeysOfPeople(this.#maker, missing);
    return new Map([...found, ...this.#hold(made).map((held) => [held.person, held] as const)]);
  }

  async #heldOf(on: Executor, people: readonly string[]): Promise<Map<string, HeldKey>> {
    const wanted = [...new Set(people)];
    const [found, absent] = this.#look(this.#byPerson, wanted);
    const unknown = this.#notKnownWithout(absent);
    const read = this.#hold(await findKeysOfPeople(on, unknown));
    for (const held of read) found.set(held.person, held);
    this.#rememberWithout(unknown.filter((person) => !found.has(person)));
    return found;
  }

  async #keysById(on: Executor, ids: readonly string[]): Promise<Map<string, HeldKey>> {
    const [found, absent] = this.#look(this.#byId, ids);
    const read = this.#hold(await findKeys(on, absent));
    for (const held of read) found.set(held.id, held);
    return found;
  }

  #notKnownWithout(people: readonly string[]): string[] {
    const oldest = this.#clock() - CACHED_MS;
    return people.filter((person) => (this.#without.get(person) ?? -Infinity) <= oldest);
  }

  #rememberWithout(people: readonly string[]): void {
    const now = this.#clock();
    for (const person of people) {
      if (this.#without.size >= MAX_KEYS) this.#without.clear();
      this.#without.set(person, now);
    }
  }

  #look(
    among: ReadonlyMap<string, HeldKey>,
    names: readonly string[],
  ): [found: Map<string, HeldKey>, absent: string[]] {
    const oldest = this.#clock() - CACHED_MS;
    const found = new Map<string, HeldKey>();
    const absent: string[] = [];
    for (const name of names) {
      const held = among.get(name);
      if (held !== undefined && held.readAt > oldest) found.set(name, held);
      else absent.push(name);
    }
    return [found, absent];
  }

  #hold(rows: readonly StoredPersonKey[]): HeldKey[] {
    if (this.#byPerson.size + rows.length > MAX_KEYS) this.drop([...this.#byPerson.keys()]);
    return rows.map((row) => {
      const held = this.#toHeld(row);
      this.#byPerson.set(held.person, held);
      this.#without.delete(held.person);
      this.#byId.set(held.id, held);
      return held;
    });
  }

  #toHeld({ id, person, sealed }: StoredPersonKey): HeldKey {
    const before = this.#byId.get(id);
    const readAt = this.#clock();
    if (sealed === null) return { id, person, key: null, ...noTexts(), readAt };
    if (before !== undefined && before.key instanceof Uint8Array) return { ...before, readAt };
    return { id, person, key: this.#open(id, sealed), ...noTexts(), readAt };
  }

  /** A changed key, or one of another installation, must not prevent reading the audit trail. */
  #open(id: string, sealed: string): Uint8Array | 'unreadable' {
    try {
      return this.#seal.open(id, sealed);
    } catch {
      return 'unreadable';
    }
  }

  #make(person: string): StoredPersonKey & { readonly sealed: string } {
    const id = newId();
    const key = new Uint8Array(randomBytes(KEY_BYTES));
    const fingerprint = createHash('sha256').update(key).digest('base64url');
    return { id, person, sealed: this.#seal.seal(id, key), fingerprint };
  }
}

const ownerOf = (key: Uint8Array, name: string): string =>
  `name:${createHmac('sha256', key).update(name.trim().toLowerCase()).digest('base64url')}`;

const noTexts = (): Pick<HeldKey, 'opened' | 'sealed'> => ({
  opened: new Map(),
  sealed: new Map(),
});

function sealWith({ id, sealed: cache }: HeldKey, key: Uint8Array, text: string): string {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const sealed = sealText({ id, key }, text);
  if (cache.size < MAX_TEXTS) cache.set(text, sealed);
  return sealed;
}

function openWith(held: HeldKey | undefined, sealed: string, id: string): string {
  if (held?.key == null) return pseudonymOf(held?.person ?? id);
  if (held.key === 'unreadable') return sealed;
  const known = held.opened.get(sealed);
  if (known !== undefined) return known;
  const text = openOrKeep({ id: held.id, key: held.key }, sealed);
  if (held.opened.size < MAX_TEXTS) held.opened.set(sealed, text);
  return text;
}

/** A text that was changed in the database is returned as it is; verification of the audit trail reports it. */
function openOrKeep(key: PersonKey, sealed: string): string {
  try {
    return openText(key, sealed);
  } catch {
    return sealed;
  }
}
