import { z } from 'zod';

/** The stored content of a ring. */
export interface RingContent<Item, Earlier> {
  readonly version: 1;
  readonly current: Item;
  readonly next?: Item | undefined;
  /** Newest first. */
  readonly earlier: readonly Earlier[];
}

export const ringSchemaOf = <Item extends z.ZodType, Earlier extends z.ZodType>(
  item: Item,
  earlier: Earlier,
) =>
  z.object({
    version: z.literal(1),
    current: item,
    next: item.optional(),
    earlier: z.array(earlier),
  });

export interface RingStore<Content> {
  /** The stored content; undefined if the store is unavailable. */
  readonly read: (held: Content) => Promise<Content | undefined>;
  readonly write: (changed: Content) => Promise<void>;
}

/**
 * Secrets of one kind: the current one is used, the next one is created before it is used, and
 * earlier ones are known.
 */
export class RotationRing<Item, Earlier> {
  readonly #kind: string;
  readonly #store: RingStore<RingContent<Item, Earlier>>;
  #held: RingContent<Item, Earlier>;

  /** @param kind name of the secret, for errors */
  constructor(
    kind: string,
    first: RingContent<Item, Earlier>,
    store: RingStore<RingContent<Item, Earlier>>,
  ) {
    this.#kind = kind;
    this.#held = first;
    this.#store = store;
  }

  get current(): Item {
    return this.#held.current;
  }

  get next(): Item | undefined {
    return this.#held.next;
  }

  get earlier(): readonly Earlier[] {
    return this.#held.earlier;
  }

  /** Reads changes made by other processes. A temporarily unavailable store changes nothing. */
  async refresh(): Promise<void> {
    this.#held = (await this.#store.read(this.#held)) ?? this.#held;
  }

  /** Creates the next secret if there is none. */
  protected async prepareNext(make: () => Item | Promise<Item>): Promise<void> {
    await this.refresh();
    if (this.next === undefined) await this.#save({ ...this.#held, next: await make() });
  }

  /**
   * Makes the next secret the current one.
   * @param retire what to keep of the previous one
   */
  protected async promoteNext(retire: (item: Item) => Earlier): Promise<void> {
    await this.refresh();
    const { current, next, earlier } = this.#held;
    if (next === undefined) throw new Error(`no next ${this.#kind}`);
    await this.#save({ version: 1, current: next, earlier: [retire(current), ...earlier] });
  }

  /** Drops earlier secrets and returns them. */
  protected async dropEarlier(isOver: (one: Earlier) => boolean): Promise<readonly Earlier[]> {
    await this.refresh();
    const { over = [], kept = [] } = Object.groupBy(this.earlier, (one) =>
      isOver(one) ? 'over' : 'kept',
    );
    if (over.length > 0) await this.#save({ ...this.#held, earlier: kept });
    return over;
  }

  async #save(changed: RingContent<Item, Earlier>): Promise<void> {
    await this.#store.write(changed);
    this.#held = changed;
  }
}
