interface ItemPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

const MOST_OF_PAGE = 100;

/** The items of all pages, up to a limit, each page loaded when its first item is needed. */
export async function* listItems<Item>(
  load: (page: { pageSize: number; cursor: string | undefined }) => Promise<ItemPage<Item>>,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Item> {
  let left = limit;
  let cursor: string | undefined;
  do {
    const page = await load({ pageSize: Math.min(MOST_OF_PAGE, left), cursor });
    for (const item of page.items.slice(0, left)) yield item;
    left -= page.items.length;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && left > 0);
}
