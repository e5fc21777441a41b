import { z } from 'zod';

/** What is kept of a ring. */
export interface RingContent<Item, Earlier> {
  readonly version: 1;
  readonly current: Item;
  readonly next?: Item | undefined;
  /** The newest first. */
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
  /** What is stored now; undefined where the store is away. */
  readonly read: (held: Content) => Promise<Content | undefined>;
  readonly write: (changed: Content) => Promise<void>;
}

/** Secrets of one kind, of which one is used; the next one is made before it is used, and earlier ones are known. */
export class RotationRing<Item, Earlier> {
  readonly #kind: string;
  readonly #store: RingStore<RingContent<Item, Earlier>>;
  #held: RingContent<Item, Earlier>;

  /** @param kind of what, for errors */
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

  /** Reads what another process has changed. A store that is away for a moment changes nothing. */
  async refresh(): Promise<void> {
    this.#held = (await this.#store.read(this.#held)) ?? this.#held;
  }

  /** Makes the next one unless it is there. */
  protected async prepareNext(make: () => Item | Promise<Item>): Promise<void> {
    await this.refresh();
    if (this.next === undefined) await this.#save({ ...this.#held, next: await make() });
  }

  /** From now on the next one is used. @param retire what is kept of the one before */
  protected async promoteNext(retire: (item: Item) => Earlier): Promise<void> {
    await this.refresh();
    const { current, next, earlier } = this.#held;
    if (next === undefined) throw new Error(`there is no next ${this.#kind}`);
    await this.#save({ version: 1, current: next, earlier: [retire(current), ...earlier] });
  }

  /** Answers the earlier ones that were dropped. */
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
